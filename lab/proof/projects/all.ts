/** The projects of the matrix of proofs. */
import type { MatrixProject } from "../project.ts";
import { RATES_PROJECT, STACK_PROJECT } from "./go.ts";
import { MONEY_PROJECT, TEXT_PROJECT } from "./own_runner.ts";
import { CART_PROJECT, SLUG_PROJECT } from "./python.ts";
import { RANGE_PROJECT } from "./script.ts";
import { CACHE_PROJECT, ROMAN_PROJECT, SHOP_PROJECT } from "./special.ts";
import { DURATION_PROJECT, QUEUE_PROJECT } from "./typed.ts";

/** Twelve in six languages. */
export const PROJECTS: readonly MatrixProject[] = [
  SLUG_PROJECT,
  CART_PROJECT,
  RANGE_PROJECT,
  SHOP_PROJECT,
  CACHE_PROJECT,
  ROMAN_PROJECT,
  DURATION_PROJECT,
  QUEUE_PROJECT,
  RATES_PROJECT,
  STACK_PROJECT,
  MONEY_PROJECT,
  TEXT_PROJECT,
];
