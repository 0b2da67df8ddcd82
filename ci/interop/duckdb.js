// Reads every table of a taskwright dataset with DuckDB and prints
// {table: {types: {column: type}, rows: [...]}} as JSON.
//
//   node duckdb.js DIR
"use strict";

const duckdb = require("@duckdb/node-api");

const tables = {
  servers: "catalog/servers.parquet",
  tools: "catalog/tools.parquet",
  edges: "catalog/edges.parquet",
  tasks: "tasks/*.parquet",
  tape: "tape/*.parquet",
  trajectories: "runs/*/trajectories-*.parquet",
  scores: "runs/*/scores-*.parquet",
};

// plain turns a DuckDB value into JSON; times become microseconds since 1970.
function plain(v) {
  if (v === null || typeof v === "string" || typeof v === "boolean" || typeof v === "number") return v;
  if (typeof v === "bigint") {
    if (v > BigInt(Number.MAX_SAFE_INTEGER) || v < BigInt(Number.MIN_SAFE_INTEGER)) throw new Error(`${v} is too large for JSON`);
    return Number(v);
  }
  if (v instanceof duckdb.DuckDBListValue) return v.items.map(plain);
  if (v instanceof duckdb.DuckDBStructValue) return Object.fromEntries(Object.entries(v.entries).map(([k, e]) => [k, plain(e)]));
  if (v instanceof duckdb.DuckDBTimestampTZValue) return plain(v.micros);
  throw new Error(`unexpected value ${v} (${v.constructor.name})`);
}

async function main(dir) {
  const instance = await duckdb.DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const out = {};
  for (const [table, glob] of Object.entries(tables)) {
    const path = `${dir}/${glob}`.replaceAll("'", "''");
    const reader = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}', hive_partitioning = false)`);
    const types = Object.fromEntries(reader.columnNames().map((name, i) => [name, String(reader.columnTypes()[i])]));
    out[table] = { types, rows: reader.getRowObjects().map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, plain(v)]))) };
  }
  process.stdout.write(JSON.stringify(out));
}

main(process.argv[2]).catch((err) => {
  console.error(err);
  process.exit(1);
});
