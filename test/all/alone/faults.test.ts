/** Tests that every known fault of the lab is detected and named. */
import { testFaults } from "../../faults/catch.ts";
import { labFaults } from "../../faults/registry.ts";

testFaults(labFaults);
