/** Tests that a few very different faults of the lab are detected and named. all/alone/faults.test.ts tests all faults. */
import { testFaults } from "../faults/catch.ts";
import { usualFaults } from "../faults/registry.ts";

testFaults(usualFaults);
