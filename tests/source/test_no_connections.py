"""Nothing reaches out: no file of another place is read, no extension is fetched, whatever is asked for."""

import duckdb
import pytest

from karat.engine import ENGINES


@pytest.fixture
def engine(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("id,truth,a\n1,x,x\n")
    return ENGINES["duckdb"](paths=[str(table)])


def test_extensions_are_neither_fetched_nor_loaded(engine):
    settings = engine.query(
        "select name, value from duckdb_settings() where name in ('autoinstall_known_extensions', "
        "'autoload_known_extensions', 'enable_external_access', 'lock_configuration')"
    )
    values = dict(zip(settings["name"], settings["value"], strict=True))
    assert values == {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "enable_external_access": "false",
        "lock_configuration": "true",
    }


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('https://example.org/t.csv')",
        "select * from read_parquet('s3://bucket/t.parquet')",
        "select * from read_xlsx('t.xlsx')",
        "select * from sqlite_scan('t.db', 't')",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "attach 'other.db'",
        "select * from read_csv('/etc/passwd')",
    ],
)
def test_what_would_reach_out_is_refused_at_once(engine, sql):
    with pytest.raises(duckdb.Error, match=r"(?i)disabled|locked|catalog|permission|not exist"):
        engine._connection.execute(sql)
