/** Property: a question by a name shows no line of a chunk without the name where the chunk holds it. */
import { strictEqual as equal } from "node:assert/strict";
import { createTempRepo } from "../support/temp_repo.ts";
