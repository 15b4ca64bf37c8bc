"""Questions about label graphs: the longer answers of `karat.graphs.bench` and `karat.graphs.tasks`, a file each."""
