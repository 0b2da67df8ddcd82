// Connects over stdio to the MCP server that the arguments start, with the
// official TypeScript client, and prints one JSON object on stdout:
//
//	{ "server": {name, version}, "tools": [name…], "calls": [{tool, ok, isError, text, structured, error}] }
//
// Usage: node client.mjs CALLS COMMAND [ARG…]
//
// CALLS is a JSON array of {"tool", "arguments"}; the calls are made in order
// in one session. A call that ends in a JSON-RPC error has "error". The client
// validates structured content against the declared output schema. The exit
// status is 1 when the server cannot be started or listed.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

async function listTools(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools(cursor ? { cursor } : {});
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return tools;
}

async function call(client, { tool, arguments: args }) {
  try {
    const r = await client.callTool({ name: tool, arguments: args });
    const text = r.content.map((c) => c.text ?? "").join("\n");
    return { tool, ok: !r.isError, isError: !!r.isError, text, structured: r.structuredContent ?? null };
  } catch (e) {
    return { tool, ok: false, isError: false, error: String(e.message ?? e) };
  }
}

async function main([calls, command, ...args]) {
  const transport = new StdioClientTransport({ command, args, env: { ...process.env }, stderr: "inherit" });
  const client = new Client({ name: "taskwright-tsclient", version: "1.0.0" });
  await client.connect(transport);
  const tools = await listTools(client);
  const results = [];
  for (const c of JSON.parse(calls)) results.push(await call(client, c));
  const out = { server: client.getServerVersion(), tools: tools.map((t) => t.name), calls: results };
  await client.close();
  console.log(JSON.stringify(out));
}

main(process.argv.slice(2)).catch((e) => {
  console.error(e);
  process.exit(1);
});
