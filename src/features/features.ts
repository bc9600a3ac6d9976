/** The table of features: the only place that names them. Without its row and its folder a feature is gone. */
import type { Feature } from "../cli/command.ts";
import { ATTEST_FEATURE } from "./attest/feature.ts";
import { HUB_FEATURE } from "./hub/feature.ts";
import { HTTP_FEATURE } from "./http/feature.ts";
import { LEARNING_FEATURE } from "./learning/feature.ts";
import { MAP_FEATURE } from "./map/feature.ts";
import { MUTANTS_FEATURE } from "./mutants/feature.ts";
import { REPORT_FEATURE } from "./report/feature.ts";
import { RUNS_FEATURE } from "./runs/feature.ts";
import { SCIP_FEATURE } from "./scip/feature.ts";
import { SHARE_FEATURE } from "./share/feature.ts";
import { WORKSPACE_FEATURE } from "./workspace/feature.ts";

/** Every feature. */
export const FEATURES: readonly Feature[] = [
  ATTEST_FEATURE,
  HUB_FEATURE,
  HTTP_FEATURE,
  LEARNING_FEATURE,
  MAP_FEATURE,
  MUTANTS_FEATURE,
  REPORT_FEATURE,
  RUNS_FEATURE,
  SCIP_FEATURE,
  SHARE_FEATURE,
  WORKSPACE_FEATURE,
];
