"""Files of the package that is tested: of this repository, or of an installed wheel."""

from pathlib import Path

import karat

DIGITS = Path(karat.__file__).parent / "demo" / "digits.csv"
