// Reads an RSS feed from standard input with three readers and prints what each holds, as JSON.
// Whatever a reader warns about stands in "warnings".
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseRssFeed } from "feedsmith";

const require = createRequire(import.meta.url);
const warnings = [];
for (const name of ["warn", "error"]) console[name] = (...said) => warnings.push(said.map(String).join(" "));
const { logger } = require("podcast-partytime/dist/logger.js");
for (const name of ["warn", "error"]) logger[name] = (...said) => warnings.push(said.map(String).join(" "));

const xml = readFileSync(0, "utf8");
const partytime = require("podcast-partytime").parseFeed(xml);
const rssParser = await new (require("rss-parser"))().parseString(xml);
process.stdout.write(JSON.stringify({ partytime, feedsmith: parseRssFeed(xml), rssParser, warnings }));
