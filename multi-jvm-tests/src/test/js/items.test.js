// What the JavaScript SDK does with a node: the operations of a plain application.
import assert from "node:assert/strict";
import https from "node:https";
import { after, before, describe, test } from "node:test";
import { CosmosClient } from "@azure/cosmos";

const endpoint = process.env.PARTITA_ENDPOINT;
const key = process.env.PARTITA_KEY;
const agent = endpoint.startsWith("https:") ? new https.Agent({ rejectUnauthorized: false }) : undefined;
const newClient = (options = {}) =>
  new CosmosClient({ endpoint, key, agent, connectionPolicy: { enableBackgroundEndpointRefreshing: false }, ...options });
const client = newClient();
after(() => client.dispose());

const container = async (database, id, partitionKey = { paths: ["/pk"], version: 2 }) => {
  await client.databases.createIfNotExists({ id: database });
  await client.database(database).containers.createIfNotExists({ id, partitionKey });
  return client.database(database).container(id);
};

const failsWith = (code, substatus) => (error) => {
  assert.equal(error.code, code, `${error.code}: ${error.message}`);
  if (substatus !== undefined) {
    assert.equal(error.substatus, substatus);
  }
  return true;
};

/** A point read resolves with 404 instead of throwing. */
const absent = async (items, id, pk) => assert.equal((await items.item(id, pk).read()).statusCode, 404);

describe("items", () => {
  let items;
  before(async () => {
    items = await container("js", "items");
  });

  test("the life of an item", async () => {
    const created = await items.items.create({ id: "1", pk: "life", n: 1 });
    assert.equal(created.statusCode, 201);
    assert.equal(created.resource.n, 1);
    assert.ok(created.requestCharge > 0);
    assert.equal(created.etag, created.resource._etag);

    const read = await items.item("1", "life").read();
    assert.equal(read.statusCode, 200);
    assert.deepEqual(read.resource, created.resource);

    const replaced = await items.item("1", "life").replace({ id: "1", pk: "life", n: 2 });
    assert.equal(replaced.statusCode, 200);
    assert.notEqual(replaced.resource._etag, created.resource._etag);
    assert.equal(replaced.resource._rid, created.resource._rid);

    assert.equal((await items.items.upsert({ id: "1", pk: "life", n: 3 })).statusCode, 200);
    assert.equal((await items.items.upsert({ id: "2", pk: "life", n: 1 })).statusCode, 201);
    assert.equal((await items.item("1", "life").read()).resource.n, 3);

    assert.equal((await items.item("1", "life").delete()).statusCode, 204);
    await absent(items, "1", "life");
  });

  test("what is missing or there already", async () => {
    await items.items.create({ id: "1", pk: "errors" });
    await assert.rejects(items.items.create({ id: "1", pk: "errors" }), failsWith(409));
    await assert.rejects(items.item("9", "errors").replace({ id: "9", pk: "errors" }), failsWith(404));
    await assert.rejects(items.item("9", "errors").delete(), failsWith(404));
    await assert.rejects(client.databases.create({ id: "js" }), failsWith(409));
    await assert.rejects(client.database("none").read(), failsWith(404));
    await assert.rejects(client.database("js").container("none").read(), failsWith(404));
  });

  test("a stale etag stops writes (U45, U60)", async () => {
    const first = await items.items.create({ id: "1", pk: "etags", n: 1 });
    const stale = { accessCondition: { type: "IfMatch", condition: first.etag } };
    const item = items.item("1", "etags");
    const second = await item.replace({ id: "1", pk: "etags", n: 2 }, stale);
    await assert.rejects(item.replace({ id: "1", pk: "etags", n: 3 }, stale), failsWith(412));
    await assert.rejects(item.delete(stale), failsWith(412));
    assert.deepEqual((await item.read()).resource, second.resource);
    const current = { accessCondition: { type: "IfMatch", condition: second.etag } };
    assert.equal((await item.delete(current)).statusCode, 204);
  });

  test("reading with the current etag says not modified (U53)", async () => {
    const created = await items.items.create({ id: "1", pk: "not modified", n: 1 });
    const known = { accessCondition: { type: "IfNoneMatch", condition: created.etag } };
    assert.equal((await items.item("1", "not modified").read(known)).statusCode, 304);
    await items.items.upsert({ id: "1", pk: "not modified", n: 2 });
    assert.equal((await items.item("1", "not modified").read(known)).statusCode, 200);
  });

  for (const id of ["with space", "100%", "%41", "a+b", "a&b=c", "it's", "\u{1F600} emoji", "ümläut", "x".repeat(1023)]) {
    test(`id ${id.slice(0, 20)}`, async () => {
      assert.equal((await items.items.create({ id, pk: "ids" })).statusCode, 201);
      assert.equal((await items.item(id, "ids").read()).resource.id, id);
      assert.equal((await items.item(id, "ids").delete()).statusCode, 204);
    });
  }
});

for (const version of [1, 2]) {
  for (const value of ["text", "", 'quote " and \\', "ünï\u{1F600}", 12, -0.5, 2 ** 53, true, false, null, undefined]) {
    test(`partition key ${JSON.stringify(value)}, version ${version}`, async () => {
      const keys = await container("js-keys", `v${version}`, { paths: ["/pk"], version });
      const body = value === undefined ? { id: "1" } : { id: "1", pk: value };
      assert.equal((await keys.items.create(body)).statusCode, 201);
      const item = keys.item("1", value);
      const read = await item.read();
      assert.equal(read.statusCode, 200);
      assert.deepEqual(read.resource.pk, value);
      assert.equal((await item.replace({ ...body, n: 2 })).statusCode, 200);
      assert.equal((await item.read()).resource.n, 2);
      assert.equal((await item.delete()).statusCode, 204);
      await absent(keys, "1", value);
    });
  }
}

test("equal container names in two databases are two containers", async () => {
  const left = await container("js-left", "same");
  const right = await container("js-right", "same");
  await left.items.create({ id: "1", pk: "k", side: "left" });
  await absent(right, "1", "k");
  await right.items.create({ id: "1", pk: "k", side: "right" });
  assert.equal((await left.item("1", "k").read()).resource.side, "left");
  assert.equal((await right.item("1", "k").read()).resource.side, "right");
});

test("a container keeps its definition", async () => {
  const made = await container("js", "policies", { paths: ["/a/b"], version: 2 });
  const { resource } = await made.read();
  assert.deepEqual(resource.partitionKey.paths, ["/a/b"]);
  assert.equal(resource.partitionKey.version, 2);
  assert.equal(resource.indexingPolicy.indexingMode, "consistent");
  assert.equal((await made.delete()).statusCode, 204);
});

test("all items, with and without a partition key", async () => {
  const many = await container("js", "many");
  for (let i = 0; i < 25; i++) {
    await many.items.create({ id: `${i}`, pk: `k${i % 3}` });
  }
  const ids = (resources) => resources.map((item) => item.id).sort();
  const all = await many.items.query("SELECT * FROM c", { maxItemCount: 4 }).fetchAll();
  assert.deepEqual(ids(all.resources), [...Array(25).keys()].map(String).sort());
  const one = await many.items.query("SELECT * FROM c", { partitionKey: "k1" }).fetchAll();
  assert.equal(one.resources.length, 8);
  await assert.rejects(many.items.query("SELECT nonsense FROM").fetchAll(), failsWith(400));
});

// The SDK looks first and then creates: of those that saw nothing all but one are told 409, and see it the second time.
test("createIfNotExists from many sides (U56)", async () => {
  const once = () => client.databases.createIfNotExists({ id: "js-crowd" });
  const twice = () => once().catch((error) => failsWith(409)(error) && once());
  const results = await Promise.all([...Array(20)].map(twice));
  assert.equal(results.filter((result) => result.statusCode === 201).length, 1);
  assert.equal(results.length, 20);
});

test("session consistency asked for by the client", async () => {
  const strict = newClient({ consistencyLevel: "Session" });
  try {
    const items = strict.database("js").container("items");
    for (let n = 0; n < 20; n++) {
      await items.items.upsert({ id: "s", pk: "session", n });
      assert.equal((await items.item("s", "session").read()).resource.n, n);
    }
  } finally {
    strict.dispose();
  }
});

test("a wrong key is refused at once", async () => {
  const stranger = newClient({ key: "d3Jvbmc=" });
  try {
    await assert.rejects(stranger.database("js").read(), failsWith(401));
  } finally {
    stranger.dispose();
  }
});
