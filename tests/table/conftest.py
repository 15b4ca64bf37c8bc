"""Files of a few lines."""

import pytest


@pytest.fixture
def file(tmp_path):
    def write(text, name="table.csv"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write
