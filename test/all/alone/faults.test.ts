/** Every fault of the lab that we know is caught and named. */
import { testFaults } from "../../faults/catch.ts";
import { labFaults } from "../../faults/registry.ts";

testFaults(labFaults);
