// Starts a server of the Model Context Protocol, uses all of it through one of the official clients, and prints
// what it got as JSON.
//
//   node client.mjs CLIENT ANSWER PROPOSAL COMMAND [ARGUMENT…]
//
// CLIENT is sdk (1.x), client (2.x) or newest (2.x with the newest protocol). ANSWER is accept, decline, cancel, or
// none for a client that cannot ask. PROPOSAL is the arguments of propose_invoice as JSON.
const [which, answer, proposal, command, ...args] = process.argv.slice(2);
const got = { asked: [], tools: {}, failures: {} };
const info = { name: "tarmac-test", version: "1" };
const options = { capabilities: answer === "none" ? {} : { elicitation: {} } };
const server = { command, args, stderr: "inherit", env: process.env };

const reply = async (request) => {
  got.asked.push(request.params.message);
  return answer === "accept" ? { action: answer, content: { create: true } } : { action: answer };
};

async function connect() {
  if (which === "sdk") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
    const client = new Client(info, options);
    if (answer !== "none") client.setRequestHandler(ElicitRequestSchema, reply);
    await client.connect(new StdioClientTransport(server));
    return client;
  }
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  if (which === "newest") options.versionNegotiation = { mode: "auto" };
  const client = new Client(info, options);
  if (answer !== "none") client.setRequestHandler("elicitation/create", reply);
  await client.connect(new StdioClientTransport(server));
  got.protocol = client.getNegotiatedProtocolVersion?.();
  return client;
}

const client = await connect();
got.instructions = client.getInstructions();

const tool = async (name, args) => {
  try {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) got.failures[name] = result.content[0].text;
    else got.tools[name] = result.structuredContent;
    return result.structuredContent;
  } catch (e) {
    got.failures[name] = String(e.message);
  }
};

got.names = (await client.listTools()).tools.map((t) => t.name);
await tool("cash", {});
await tool("transactions", { period: "last month", limit: 5 });
await tool("receivables", {});
await tool("events", { limit: 3 });
await tool("spend", { months: 2, limit: 3 });
await tool("forecast", { weeks: 2 });
const list = await tool("invoices", { status: "sent", limit: 2 });
await tool("invoice", { id: list.invoices[0].id });
await tool("no_such_tool", {});
if (got.names.includes("propose_invoice")) await tool("propose_invoice", JSON.parse(proposal));

const abort = new AbortController();
const cancelled = which === "sdk"
  ? client.callTool({ name: "forecast", arguments: {} }, undefined, { signal: abort.signal })
  : client.callTool({ name: "forecast", arguments: {} }, { signal: abort.signal });
abort.abort("no longer wanted");
got.cancelled = await cancelled.then(() => "answered", (e) => String(e.message ?? e));

const resources = (await client.listResources()).resources;
got.resources = resources.length;
got.resource = JSON.parse((await client.readResource({ uri: resources[0].uri })).contents[0].text);
const document = (await client.readResource({ uri: resources[0].uri + "/pdf" })).contents[0];
got.document = Buffer.from(document.blob, "base64").subarray(0, 5).toString();
await client.close();
console.log(JSON.stringify(got));
