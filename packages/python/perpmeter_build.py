"""Builds the wheel and the source distribution (PEP 517), with the standard library alone and the same bytes each time."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent
SOURCE = ROOT / "src" / "perpmeter"
MADE = ("_columns.py", "_facts.py", "_routes.py")
EPOCH = (2026, 1, 1, 0, 0, 0)
EPOCH_SECONDS = 1_767_225_600


def _field(name: str) -> str:
    found = re.search(rf'^{name} = "([^"]*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    if found is None:
        raise RuntimeError(f"pyproject.toml has no {name}")
    return found[1]


def _modules() -> dict[str, bytes]:
    missing = [name for name in MADE if not (SOURCE / name).exists()]
    if missing:
        raise RuntimeError(f"{', '.join(missing)} are made from the route table: node scripts/build-routes.mjs")
    files = sorted(path for path in SOURCE.iterdir() if path.suffix == ".py" or path.name == "py.typed")
    return {f"perpmeter/{path.name}": path.read_bytes() for path in files}


def _metadata() -> bytes:
    head = [
        "Metadata-Version: 2.1",
        f"Name: {_field('name')}",
        f"Version: {_field('version')}",
        f"Summary: {_field('description')}",
        "License: Apache-2.0",
        f"Requires-Python: {_field('requires-python')}",
        "Description-Content-Type: text/markdown",
    ]
    return ("\n".join(head) + "\n\n").encode() + (ROOT / "README.md").read_bytes()


def _hash(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _wheel_files() -> dict[str, bytes]:
    info = f"perpmeter-{_field('version')}.dist-info"
    files = _modules()
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: perpmeter_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nperpmeter = perpmeter.__main__:main\n"
    record = [f"{name},{_hash(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    return files


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    """Writes the wheel; its file name."""
    name = f"perpmeter-{_field('version')}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in _wheel_files().items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """Writes the source distribution; its file name."""
    folder = f"perpmeter-{_field('version')}"
    files = {f"src/{name}": data for name, data in _modules().items()}
    for name in ("README.md", "pyproject.toml", "perpmeter_build.py"):
        files[name] = (ROOT / name).read_bytes()
    files["PKG-INFO"] = _metadata()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime, entry.mode = len(data), EPOCH_SECONDS, 0o644
            archive.addfile(entry, io.BytesIO(data))
    name = f"{folder}.tar.gz"
    with (
        (Path(sdist_directory) / name).open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=EPOCH_SECONDS) as out,
    ):
        out.write(packed.getvalue())
    return name


if __name__ == "__main__":
    import sys

    target = sys.argv[1] if len(sys.argv) > 1 else "."
    print(build_wheel(target), build_sdist(target))
