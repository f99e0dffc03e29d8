/** The faults of the lab that differ most are caught and named; all/alone/faults.test.ts has the others. */
import { testFaults } from "../faults/catch.ts";
import { usualFaults } from "../faults/registry.ts";

testFaults(usualFaults);
