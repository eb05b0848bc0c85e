from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sscb_pipeline.artifacts.warehouse import JournalName, Warehouse, create_or_open, existing, warehouse_root
from sscb_pipeline.errors import InputError


def test_the_root_comes_from_the_variable_or_is_the_default(tmp_path: Path) -> None:
    assert warehouse_root({}, tmp_path) == tmp_path / "warehouse"
    assert warehouse_root({"SSCB_WAREHOUSE": ""}, tmp_path) == tmp_path / "warehouse"
    assert warehouse_root({"SSCB_WAREHOUSE": "other"}, tmp_path) == tmp_path / "other"
    assert warehouse_root({"SSCB_WAREHOUSE": "/data/w"}, tmp_path) == Path("/data/w")


def test_a_new_warehouse_opens_again_and_keeps_what_else_is_there(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "w"
    root.mkdir(parents=True)
    (root / ".gitkeep").touch()
    created = create_or_open(root)
    assert (root / "VERSION").read_text() == "2\n"
    name = created.objects.put(b"x")
    assert create_or_open(root).objects.get(name) == b"x"
    assert existing(root).objects.has(name)


def test_none_is_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sscb run"):
        existing(tmp_path / "w")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("version", ["1\n", "3\n", "2", "", "one\n", "\x1b[31m"])
def test_another_version_is_refused(tmp_path: Path, version: str) -> None:
    create_or_open(tmp_path)
    (tmp_path / "VERSION").chmod(0o644)
    (tmp_path / "VERSION").write_text(version)
    for opening in (existing, create_or_open):
        with pytest.raises(InputError, match="layout version 2") as caught:
            opening(tmp_path)
        assert "\x1b" not in str(caught.value)


def test_content_without_a_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "objects").mkdir()
    with pytest.raises(InputError, match="VERSION"):
        create_or_open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["objects"]


@given(
    st.lists(
        st.text(min_size=1, max_size=12, alphabet=st.characters(exclude_categories=["Cs"])), min_size=3, max_size=3
    )
)
def test_no_name_leaves_the_warehouse_and_all_come_back(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    root = tmp_path_factory.mktemp("w")
    warehouse = Warehouse(root)
    name = JournalName(campaign=names[0], stage=names[1], partition=names[2])
    journal = warehouse.journal(name)
    journal.append_all([{"n": 1}])
    assert journal.path.resolve().is_relative_to(root.resolve() / "journals")
    assert list(warehouse.journal_names()) == [name]


@pytest.mark.parametrize("name", ["..", ".", "../../x", "/etc", "a/b", "~"])
def test_path_like_names_become_one_component(tmp_path: Path, name: str) -> None:
    path = Warehouse(tmp_path).lease_path("partition", name)
    assert path.parent == tmp_path / ".leases"


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_names_that_fit_no_component_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="200 characters"):
        Warehouse(tmp_path).journal(JournalName(campaign="c", stage="s", partition=name))
