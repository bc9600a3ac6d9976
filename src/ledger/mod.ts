/**
 * What the disk should be, and who may change it.
 *
 * @module
 */
export { checkWriteStage, guardWrite, isProtected } from "./write_guard.ts";
export type { GuardFacts, WriteTarget } from "./write_guard.ts";
