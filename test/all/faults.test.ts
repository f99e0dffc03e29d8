/** Every fault of the lab that we know is caught and named. */
import { testFaults } from "../faults/catch.ts";
import { faults } from "../faults/registry.ts";

testFaults(Object.keys(faults));
