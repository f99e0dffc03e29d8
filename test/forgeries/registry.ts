/** Ways to alter a run's saved files so that they say something else. */
import type { Forgery } from "./forgery.ts";
import { network } from "./network.ts";
import { relabelled } from "./relabelled.ts";
import { requests } from "./requests.ts";
import { run } from "./run.ts";
import { times } from "./times.ts";

export const forgeries: Forgery[] = [...relabelled, ...times, ...requests, ...network, ...run];
