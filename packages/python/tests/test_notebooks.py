"""The notebooks, run cell by cell in one interpreter, without a kernel of Jupyter and without a window."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from perpmeter.amounts import atomic_of

FILES = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
MOST_CELLS = 8


def cells_of(file: Path) -> list[Any]:
    cells: list[Any] = json.loads(file.read_bytes())["cells"]
    return cells


def test_there_are_five() -> None:
    assert len(FILES) == 5


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_is_short_says_its_cap_and_has_no_outputs(file: Path) -> None:
    first, *others = cells_of(file)
    said = re.search(r"at most ([\d.]+) USD are spent", "".join(first["source"]))
    assert first["cell_type"] == "markdown" and said is not None
    assert f'total="{said[1]}"' in "".join(others[0]["source"])
    assert len(others) < MOST_CELLS
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in others if "outputs" in cell)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_runs_within_its_cap_and_draws(
    file: Path, given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    place = tmp_path / "packages" / "python" / "notebooks"
    place.mkdir(parents=True)
    (tmp_path / "var").mkdir()
    demo = {"base_url": given["url"], "buyer_private_key": given["key"]}
    (tmp_path / "var" / "demo.json").write_text(json.dumps(demo))
    monkeypatch.chdir(place)
    pyplot.close("all")
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells_of(file)):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{file.name}, cell {number}", "exec"), names)
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    drawn = [axes.dataLim for figure in figures for axes in figure.axes]
    assert drawn and all(limits.width > 0 and limits.height > 0 for limits in drawn)
    said = re.search(r"for ([\d.]+) USD", "".join(cells_of(file)[0]["source"]))
    assert said is None or names["client"].spent_usd() == said[1]
    assert atomic_of(names["client"].spent_usd()) > 0
