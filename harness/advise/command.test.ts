import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOptions, commandOf } from "./command.ts";

test("the printed command has the page, the users, and the axis values that differ from the defaults", () => {
  const plan = {
    page: "dist",
    users: [
      { link: "Cable", percent: 60 },
      { link: "4G", percent: 40 },
    ],
    metric: "pageLoad",
  };
  assert.equal(
    commandOf({ ...plan, users: [plan.users[0]!, plan.users[1]!] }, { protocol: "h1", server: "nginx" }),
    "./lab advise dist --users Cable:60,4G:40 --metric pageLoad --protocol h1",
  );
});

test("a time-out that the user gave is in the printed command", () => {
  const plan = { page: "dist", users: [{ link: "Cable", percent: 100 }], metric: "pageLoad" };
  assert.match(commandOf({ ...plan, users: [plan.users[0]!] }, {}, 90), / --timeout '90 s'$/);
});

test("a word with characters that are special to a shell is quoted", () => {
  assert.equal(changeOptions(["half:img/it's here.jpg"]), `--change 'half:img/it'\\''s here.jpg'`);
});
