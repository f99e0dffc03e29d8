/** A few very different faults of the lab are detected and named; all/alone/faults.test.ts has the other faults. */
import { testFaults } from "../faults/catch.ts";
import { usualFaults } from "../faults/registry.ts";

testFaults(usualFaults);
