"""The cases; each returns its figures."""

from __future__ import annotations

import json
import math
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from benchmarks import numpy_scan
from benchmarks.attacks import attacks
from benchmarks.auto import auto, auto_million
from benchmarks.blocks import blocks
from benchmarks.common_scale import common_scale
from benchmarks.databases import database
from benchmarks.end_to_end import end_to_end, fifty_million, ten_million
from benchmarks.growth import growth
from benchmarks.lattice import full_domain, full_domain_secrets
from benchmarks.leader import leader
from benchmarks.local_recoding import local_recoding
from benchmarks.lower_bound import lower_bound
from benchmarks.microaggregation import mdav
from benchmarks.minimality import minimality
from benchmarks.mondrian import mondrian
from benchmarks.refinement import refinement, refinement_census, refinement_stays
from benchmarks.removed_rows import removed_rows
from benchmarks.sets import sets
from benchmarks.shares import shares
from benchmarks.spark import spark, spark_five_million, spark_twenty_million
from benchmarks.startup import first_run, startup
from benchmarks.studio import studio, studio_million
from benchmarks.thirteen import thirteen_columns
from benchmarks.timing import Figures, cpu
from benchmarks.zip_codes import zip_codes
from shoal.judging.verification import verify
from shoal.kernels.clustering.boxes import BLOCK
from shoal.kernels.clustering.shapes import MEETING
from shoal.measures import Pair, measure_all
from shoal.methods._closeness import Closeness
from shoal.methods.clustering._greedy import cluster
from shoal.plan import Plan
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.table import Table
from shoal.table.levels import read_levels
from shoal_papers.adult import encoded
from shoal_papers.alpha_i_k.data import QUASI
from tests.methods.test_gaacp_reference import twin
from tests.reference.kmember import KMemberReference

ROOT = Path(__file__).parents[1]


def _plan() -> Plan:
    return Plan.read(shoal.datasets.folder("adult") / "adult.toml")


def _warm(table: Table, *methods: shoal.methods.Method) -> None:
    """Load the compiled kernels, which is not what is measured."""
    for method in methods:
        small = table.select(
            np.arange(min(table.n_rows, 4000)), ranges="own"
        )  # fewer rows need no kernels
        method.group(small, [shoal.KAnonymity(5)], rng=np.random.default_rng(0))


def gaacp_kernel() -> Figures:
    """GAA-CP's grouping against a vectorised NumPy scan: Adult complete, 8 QIs."""
    table = Table.encode(shoal.datasets.adult(complete=True), _plan().schema_())
    method = shoal.GAACP(picks="first")
    _warm(table, method)
    figures: Figures = {}
    for k in (5, 10, 25):
        found: list[np.ndarray] = []
        grouping = lambda k=k, found=found: found.append(  # noqa: E731
            method.group(table, [shoal.KAnonymity(k)], rng=np.random.default_rng(0)).labels
        )
        ours = min(cpu(grouping) for _ in range(5))
        theirs = cpu(lambda k=k, found=found: found.append(numpy_scan.labels(table, k)))
        placed = found[-1] >= 0
        same = bool(np.array_equal(found[-1][placed], found[0][placed]))
        figures |= {
            f"k = {k}: Shoal (s CPU, best of 5)": ours,
            f"k = {k}: NumPy scan (s CPU)": theirs,
            f"k = {k}: ratio": theirs / ours,
            f"k = {k}: same labels": str(same),
        }
    return figures


def growth_with_rows() -> Figures:
    """GAA-CP's grouping on `census`, 8 QIs, k = 5, from 45,000 to 3 million rows."""
    schema = _plan().schema_()
    method = shoal.GAACP(picks="first")
    _warm(Table.encode(shoal.datasets.census(5000), schema), method)
    figures: Figures = {}
    seconds = {}
    for n in (45_000, 300_000, 1_000_000, 3_000_000):
        table = Table.encode(shoal.datasets.census(n), schema)
        seconds[n] = cpu(
            lambda table=table: method.group(
                table, [shoal.KAnonymity(5)], rng=np.random.default_rng(0)
            )
        )
        figures[f"{n:,} rows (s CPU)"] = seconds[n]
    span = math.log(3_000_000 / 45_000)
    figures["growth exponent, 45,000 to 3 million"] = (
        math.log(seconds[3_000_000] / seconds[45_000]) / span
    )
    return figures


def missing_values() -> Figures:
    """KAIM against GAA-CP, holes kept: all of Adult, and `census` with 10 % missing; k = 5."""
    schema = _kaim_schema()
    methods = {
        "GAA-CP": shoal.GAACP(picks="first"),
        "KAIM, entropy-change": shoal.KAIM(picks="first"),
        "KAIM, equation-9": shoal.KAIM("equation-9", picks="first"),
    }
    adult = Table.encode(shoal.datasets.adult().select(schema.quasi), schema)
    _ = adult.trees
    _warm(adult, *methods.values())
    figures: Figures = {}
    for name, method in methods.items():
        figures[f"Adult 48,842: {name} (s CPU, best of 5)"] = min(
            cpu(lambda method=method: _group(adult, method)) for _ in range(5)
        )
        figures[f"Adult 48,842: {name}, times GAA-CP"] = float(
            figures[f"Adult 48,842: {name} (s CPU, best of 5)"]
        ) / float(figures["Adult 48,842: GAA-CP (s CPU, best of 5)"])
    sizes = (50_000, 200_000, 1_000_000)
    seconds: dict[tuple[str, int], float] = {}
    for n in sizes:
        holes = shoal.datasets.with_missing(
            shoal.datasets.census(n).select(schema.quasi), 0.1, seed=1
        )
        table = Table.encode(holes, schema)
        _ = table.trees
        for name, method in methods.items():
            seconds[name, n] = cpu(lambda method=method, table=table: _group(table, method))
            figures[f"census {n:,}, 10 % missing: {name} (s CPU)"] = seconds[name, n]
    for name in methods:
        grown = seconds[name, sizes[-1]] / seconds[name, sizes[0]]
        figures[f"census, 10 % missing: {name}, growth exponent"] = math.log(grown) / math.log(
            sizes[-1] / sizes[0]
        )
    return figures


def _kaim_schema() -> shoal.Schema:
    """The quasi-identifiers of KAIM's paper; Age is a number with a tree."""
    trees = shoal.datasets.folder("adult") / "hierarchies"
    names = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass")
    return shoal.Schema(
        {
            name: shoal.quasi(
                kind="numeric" if name == "age" else "categorical",
                hierarchy=shoal.Hierarchy.from_csv(trees / f"{name}.csv"),
            )
            for name in (*names, "occupation")
        }
    )


def _group(table: Table, method: shoal.methods.Method) -> Grouping:
    return method.group(table, [shoal.KAnonymity(5)], rng=np.random.default_rng(0))


def thirteen_attributes() -> Figures:
    """GAA-CP with 13 QIs, 5 of them numeric, nearly all rows distinct, k = 5."""
    schema = thirteen_columns()
    figures: Figures = {}
    tables = {
        "Adult 45,222": shoal.datasets.adult(complete=True),
        "census 1,000,000": shoal.datasets.census(1_000_000),
    }
    for name, frame in tables.items():
        table = Table.encode(frame.select(list(schema)), schema)
        _warm(table, shoal.GAACP(picks="first"))
        trace: dict[str, int] = {}
        spent = cpu(
            lambda table=table, trace=trace: cluster(
                table, [shoal.KAnonymity(5)], Closeness(table.quasi, MEETING), trace=trace
            )
        )
        near = BLOCK * trace["blocks, nearest"] / table.n_rows
        far = BLOCK * trace["blocks, farthest"] / trace["classes"]
        figures |= {
            f"{name}: grouping (s CPU)": spent,
            f"{name}: distinct points": trace["points"],
            f"{name}: points evaluated per record that joins (at most)": near,
            f"{name}: boxes evaluated per record that joins": trace["nodes, nearest"]
            / table.n_rows,
            f"{name}: points evaluated per seed (at most)": far,
            f"{name}: boxes evaluated per seed": trace["nodes, farthest"] / trace["classes"],
        }
    return figures


def methods_side_by_side() -> Figures:
    """Methods that generalize, on Adult complete, 8 QIs, k = 5: grouping, and what it lost."""
    schema = _plan().schema_()
    tree = shoal.datasets.folder("adult") / "hierarchies" / "age.csv"
    schema = schema.with_column("age", hierarchy=shoal.Hierarchy.from_csv(tree))
    table = Table.encode(shoal.datasets.adult(complete=True), schema)
    figures: Figures = {}
    for name, kind in shoal.methods.METHODS.items():
        method = kind(**({"picks": "first"} if kind.draws() else {}))
        if method.publication != "generalized":  # it needs more than k
            continue
        _warm(table, method)
        made: list[Grouping] = []
        spent = cpu(
            lambda method=method, made=made: made.append(
                method.group(table, [shoal.KAnonymity(5)], rng=np.random.default_rng(0))
            )
        )
        recoded = generalize(table, made[0], bounds="observed", numbers=method.numbers)
        figures[f"{name} (s CPU)"] = spent
        figures[f"{name}: iloss"] = measure_all(Pair(table, recoded))["iloss"]
    return figures


def sensitive_groups() -> Figures:
    """Five sensitive columns, l of each 3 or 5: Adult's 30,162 rows of MICD, and `census`."""
    secrets = ["education", "occupation", "marital-status", "race", "workclass"]
    used = ["age", "sex", "salary-class", "native-country", *secrets]
    schema = shoal.Schema(
        {name: shoal.sensitive() if name in secrets else shoal.quasi() for name in used}
    )
    frames = {
        "Adult 30,162": shoal.datasets.adult().head(32_561).select(used).drop_nulls(),
        "census 1,000,000": shoal.datasets.census(1_000_000).select(used),
    }
    figures: Figures = {}
    kinds = (shoal.MICD, shoal.Decomposition, shoal.DecompositionPlus)
    for table_name, frame in frames.items():
        table = Table.encode(frame, schema)
        _ = table.sensitive
        for primary, least in (("entropy", 3), ("education", 3), ("education", 5)):
            require = [shoal.MultiLDiversity(dict.fromkeys(secrets, least), lower=True)]
            for kind in kinds:
                method = kind(primary=primary, seed=1)
                method.group(
                    table.select(np.arange(200)),
                    require,
                    rng=np.random.default_rng(1),
                )  # loads the kernels
                made: list[Grouping] = []
                spent = cpu(
                    lambda method=method, table=table, require=require, made=made: made.append(
                        method.group(table, require, rng=np.random.default_rng(1))
                    )
                )
                noise = sum(len(added) for added in made[0].padding.values())
                case = f"{table_name}, l = {least}, primary {primary}: {method.name}"
                figures |= {
                    f"{case} (s CPU)": spent,
                    f"{case}: noise ratio": noise / table.n_rows,
                    f"{case}: rows of the largest group": int(made[0].sizes.max()),
                }
    return figures


def graded_sensitivity() -> Figures:
    """(αᵢ, k)-anonymity: `census` with its levels of occupations, Top-Down on Adult complete."""
    path = shoal.datasets.folder("adult") / "levels" / "occupation.csv"
    levels = {**read_levels(path), "": 3}  # the census has missing occupations
    leveled = [shoal.LeveledAlphaK(levels, [0.2, 0.3, 0.35, 0.4, 0.5], 4)]
    schema = _plan().schema_().with_column("occupation", levels=levels)
    census = Table.encode(shoal.datasets.census(1_000_000), schema)
    nine = encoded(QUASI, ("occupation",), rows=45_222, complete=True)
    half: list[shoal.models.Requirement] = [shoal.AlphaK(0.5, 4)]
    cases: list[tuple[str, Table, shoal.methods.Method, Sequence[shoal.models.Requirement]]] = [
        ("census 1,000,000, (alpha_i, 4)", census, shoal.LeveledGCA(), leveled),
        ("census 1,000,000, (0.5, 4)", census, shoal.GCA(), half),
        ("census 1,000,000, (0.25, 4)", census, shoal.Anatomy(), [shoal.AlphaK(0.25, 4)]),
        ("Adult 45,222, 9 QIs, (0.5, 4)", nine, shoal.TopDown(), half),
    ]
    figures: Figures = {}
    for name, table, method, require in cases:
        _ = table.sensitive
        method.group(table.select(np.arange(500)), require, rng=np.random.default_rng(1))
        made: list[Grouping] = []
        spent = cpu(
            lambda method=method, table=table, require=require, made=made: made.append(
                method.group(table, require, rng=np.random.default_rng(1))
            )
        )
        figures |= {
            f"{name}: {method.name} (s CPU)": spent,
            f"{name}: {method.name}: classes": made[0].n_groups,
            f"{name}: {method.name}: suppressed": made[0].n_suppressed,
        }
    return figures


def peers() -> Figures:
    """Peers on Adult complete, 8 QIs, k = 10, on the same machine in the same run."""
    python = ROOT / ".venv-witness" / "bin" / "python"
    bundled = shoal.datasets.folder("adult")
    plan = _plan()
    observed = plan.publication.model_copy(update={"bounds": "observed"})
    plan = plan.model_copy(update={"publication": observed})
    schema = plan.schema_()
    adult = shoal.datasets.adult(complete=True)
    table = Table.encode(adult, schema)
    _warm(table, shoal.GAACP())
    figures: Figures = {}
    began = time.perf_counter()
    made = shoal.anonymize(adult, plan)
    figures["Shoal: anonymize, verified and measured (s)"] = time.perf_counter() - began
    figures["Shoal: iloss"] = made.measures["iloss"]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        adult.select([*schema.quasi, "occupation"]).write_csv(folder / "adult.csv")
        made.frame.write_csv(folder / "published.csv")
        command = [python, ROOT / "benchmarks" / "peers.py", folder, bundled / "hierarchies"]
        answer = subprocess.run(
            [*command, "|".join(schema.quasi)], check=True, capture_output=True, text=True
        ).stdout
        figures |= json.loads(answer.strip().splitlines()[-1])
        published = folder / "anjana.csv"
        if published.exists():
            # Suppressed rows are gone, and rows have moved: compare what cells show.
            frame = pl.read_csv(published, infer_schema=False)
            figures["anjana: rows published"] = frame.height
    began = time.perf_counter()
    verify(made.frame, schema, [shoal.KAnonymity(10)])
    figures["Shoal: verify k (s)"] = time.perf_counter() - began
    return figures | _plain_kmember(table)


def _plain_kmember(table: Table) -> Figures:
    """k-member as one writes it first, in plain Python (our slow twin), extrapolated."""
    seconds = {}
    for n in (1000, 2000, 4000):
        part = table.select(np.arange(n))
        other = twin(part)
        slow = KMemberReference(other.attributes, n)
        seconds[n] = cpu(lambda slow=slow: slow.labels(10, 0))
    exponent = math.log(seconds[4000] / seconds[1000]) / math.log(4)
    whole = seconds[4000] * (table.n_rows / 4000) ** exponent
    method = shoal.KMember(picks="first")
    _warm(table, method)
    ours = cpu(lambda: method.group(table, [shoal.KAnonymity(10)], rng=np.random.default_rng(0)))
    return {
        "k-member, Shoal (s CPU)": ours,
        "k-member, plain Python twin: 1,000 rows (s CPU)": seconds[1000],
        "k-member, plain Python twin: 4,000 rows (s CPU)": seconds[4000],
        "k-member, plain Python twin: growth exponent from 1,000 to 4,000 rows": exponent,
        "k-member, plain Python twin: extrapolated to 45,222 rows (hours, not run)": whole / 3600,
    }


def census_million() -> Figures:
    """`census(1_000_000)`: encode, publish sorted blocks of 10, verify, measure; no clustering."""
    began = time.perf_counter()
    frame = shoal.datasets.census(1_000_000)
    made = time.perf_counter() - began
    schema = _plan().schema_()
    marks = [time.perf_counter()]
    table = Table.encode(frame, schema)
    marks.append(time.perf_counter())
    order = np.lexsort([column.codes for column in reversed(table.quasi)])
    labels = np.empty(table.n_rows, dtype=np.int32)
    labels[order] = np.arange(table.n_rows) // 10
    recoded = generalize(table, Grouping(labels), bounds="observed")
    published = recoded.decode(table)
    marks.append(time.perf_counter())
    proof = verify(
        published, table.schema, [shoal.KAnonymity(10)], original=table.frame, rows=recoded.rows
    )
    marks.append(time.perf_counter())
    measure_all(Pair(table, recoded))
    marks.append(time.perf_counter())
    encode, recode, check, measure = np.diff(marks)
    return {
        "make the table (s)": made,
        "encode (s)": encode,
        "group and recode (s)": recode,
        "verify against the original (s)": check,
        "measure (s)": measure,
        "encode + verify + measure (s)": encode + check + measure,
        "holds": str(proof.passed),
    }


CASES: dict[str, Callable[[], Figures]] = {
    each.__name__: each
    for each in (
        startup,
        first_run,
        gaacp_kernel,
        leader,
        mdav,
        auto,
        auto_million,
        shares,
        refinement,
        refinement_stays,
        refinement_census,
        growth_with_rows,
        growth,
        missing_values,
        thirteen_attributes,
        zip_codes,
        end_to_end,
        database,
        ten_million,
        fifty_million,
        blocks,
        spark,
        spark_five_million,
        spark_twenty_million,
        studio,
        studio_million,
        methods_side_by_side,
        sensitive_groups,
        graded_sensitivity,
        full_domain,
        full_domain_secrets,
        local_recoding,
        common_scale,
        sets,
        attacks,
        minimality,
        removed_rows,
        mondrian,
        lower_bound,
        peers,
        census_million,
    )
}
