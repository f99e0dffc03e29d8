import koffi from "koffi";
import { fullSegmentBytes } from "../schema/link.ts";

const library = "libpcap.so.0.8";
/** A ring holds about this many frames, which is more than most loads send. In long loads the observer empties the ring regularly. */
export const ringFrames = 20_000;
/** A host's memory has room for this many frames of one load. */
export const mostFrames = 100_000;
/** Returns a lower bound of a load's number of frames. Acknowledgments and frames that are not full may double the number, even without losses. */
export const leastFrames = ({ requests, bytes }: { requests: number; bytes: number }): number =>
  requests * 2 + Math.floor(bytes / fullSegmentBytes);

/** How many bytes of each frame are captured, and the size of the kernel's ring buffer. */
export interface CaptureSize {
  frameBytes: number;
  ringBytes: number;
}
/** Ethernet, IP and TCP headers with all options, and enough payload for the extensions of a TLS ServerHello. */
export const headsOnly: CaptureSize = { frameBytes: 256, ringBytes: 8 << 20 };
/** Superpackets (TSO, GSO, GRO) are off everywhere, so no frame is larger. The ring has room for two frames in each page of 4096 bytes. */
export const wholeFrames: CaptureSize = { frameBytes: 1600, ringBytes: (ringFrames / 2) * 4096 };

export interface Frame {
  /** The kernel's timestamp, since the epoch. */
  timeMs: number;
  /** Length on the wire; `head` may be shorter. */
  bytes: number;
  head: Buffer;
}

const pcap = load();

/**
 * Captures the frames that a device sends and receives (pcap(3)) in a ring buffer of the kernel. Only `drain` reads this buffer, so no process
 * wakes up while a page loads. tcpdump would not work when an ordinary user runs the lab, because it switches to another user.
 */
export class Capture {
  readonly #handle: unknown;
  readonly #device: string;
  #missed = 0;

  /** @throws Error with libpcap's message when the device does not exist or capturing is not permitted */
  constructor(device: string, { frameBytes, ringBytes }: CaptureSize = headsOnly) {
    this.#device = device;
    const problem = Buffer.alloc(256);
    const fail = (text: string) => {
      throw new Error(`cannot capture on ${device}: ${text}`);
    };
    this.#handle = pcap().create(device, problem) ?? fail(koffi.decode(problem, "char", -1) as string);
    pcap().setHead(this.#handle, frameBytes);
    pcap().setRing(this.#handle, ringBytes);
    pcap().setImmediate(this.#handle, 1); // otherwise drain would miss frames of a block that is not full yet
    if (pcap().activate(this.#handle) < 0) fail(pcap().lastError(this.#handle));
    pcap().setNonBlocking(this.#handle, 1, problem);
  }

  /** Returns the frames since the last call, in capture order. */
  drain(): Frame[] {
    const frames: Frame[] = [];
    const [header, data] = [[null], [null]];
    const next = () => pcap().next(this.#handle, header, data) as number;
    let status = next();
    const fields = Buffer.alloc(24);
    for (; status === 1; status = next()) {
      // struct pcap_pkthdr: seconds, microseconds (8 bytes each), captured length, length on the wire (4 each)
      pcap().copy(fields, header[0], fields.length);
      const head = Buffer.allocUnsafe(fields.readUInt32LE(16));
      pcap().copy(head, data[0], head.length); // a copy, because libpcap overwrites the ring
      frames.push({
        timeMs: fields.readUInt32LE(0) * 1000 + fields.readUInt32LE(8) / 1000, // 32 bits of seconds last until 2106
        bytes: fields.readUInt32LE(20),
        head,
      });
    }
    if (status < 0) throw new Error(`cannot capture on ${this.#device}: ${pcap().lastError(this.#handle)}`);
    return frames;
  }

  close(): void {
    pcap().close(this.#handle);
  }

  /** How many frames were dropped because the ring was full, since the last call. */
  missedFrames(): number {
    const counts = Buffer.alloc(12); // struct pcap_stat: received, dropped with a full ring, dropped by the interface
    pcap().stats(this.#handle, counts);
    const before = this.#missed;
    this.#missed = counts.readUInt32LE(4); // libpcap counts from the start of the capture
    return this.#missed - before;
  }
}

/** libpcap's name and version. @throws Error when it is not installed */
export const captureLibrary = (): string => pcap().version();

/** Opens the library on first use, because most commands capture nothing. */
function load() {
  let functions: ReturnType<typeof open> | null = null;
  return () => (functions ??= open());
}

function open() {
  const shared = koffi.load(library);
  return {
    create: shared.func("void *pcap_create(const char *device, void *errbuf)"),
    setHead: shared.func("int pcap_set_snaplen(void *p, int bytes)"),
    setRing: shared.func("int pcap_set_buffer_size(void *p, int bytes)"),
    setImmediate: shared.func("int pcap_set_immediate_mode(void *p, int on)"),
    activate: shared.func("int pcap_activate(void *p)"),
    setNonBlocking: shared.func("int pcap_setnonblock(void *p, int on, void *errbuf)"),
    next: shared.func("int pcap_next_ex(void *p, _Out_ void **header, _Out_ void **data)"),
    stats: shared.func("int pcap_stats(void *p, void *stats)"),
    close: shared.func("void pcap_close(void *p)"),
    lastError: shared.func("const char *pcap_geterr(void *p)"),
    copy: shared.func("void *memcpy(_Out_ void *to, void *from, size_t bytes)"),
    version: shared.func("const char *pcap_lib_version()"),
  };
}
