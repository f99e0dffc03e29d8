import koffi from "koffi";

const library = "libpcap.so.0.8";
/** Ethernet, IP and TCP with all options, and enough of the payload for a TLS ServerHello's extensions. */
const headBytes = 256;
/** Room for so many frames, about: a load's, with what it may lose and repeat. */
export const ringFrames = 20_000;

/** How much of each frame is kept, and how much of all until somebody takes them. */
interface Room {
  frameBytes: number;
  ringBytes: number;
}
const heads: Room = { frameBytes: headBytes, ringBytes: 8 << 20 };

/** A frame as it was on the device: when, how long, and its first bytes. */
export interface Frame {
  /** Since the epoch, milliseconds, by the kernel. */
  timeMs: number;
  bytes: number;
  head: Buffer;
}

const pcap = load();

/**
 * The frames a device sends and receives (libpcap; pcap(3)). The kernel copies their heads into a ring that nobody reads
 * until `drain`: no process wakes up for a packet while a page loads. An ordinary user's lane may do it too, which
 * tcpdump, as it changes its user, may not.
 */
export class Capture {
  readonly #handle: unknown;
  readonly #device: string;
  #missed = 0;

  /** @throws Error with libpcap's own words when the device is not there or may not be captured on */
  constructor(device: string, { frameBytes, ringBytes }: Room = heads) {
    this.#device = device;
    const problem = Buffer.alloc(256);
    const fail = (text: string) => {
      throw new Error(`cannot capture on ${device}: ${text}`);
    };
    this.#handle = pcap().create(device, problem) ?? fail(koffi.decode(problem, "char", -1) as string);
    pcap().setHead(this.#handle, frameBytes);
    pcap().setRing(this.#handle, ringBytes);
    pcap().setImmediate(this.#handle, 1); // a frame is there for drain at once, not a block of frames later
    if (pcap().activate(this.#handle) < 0) fail(pcap().lastError(this.#handle));
    pcap().setNonBlocking(this.#handle, 1, problem);
  }

  /** The frames since the last call, in the order of the device. */
  drain(): Frame[] {
    const frames: Frame[] = [];
    const [header, data] = [[null], [null]];
    const next = () => pcap().next(this.#handle, header, data) as number;
    let status = next();
    const fields = Buffer.alloc(24);
    for (; status === 1; status = next()) {
      // struct pcap_pkthdr: seconds, microseconds (8 bytes each), bytes kept, bytes on the wire (4 each)
      pcap().copy(fields, header[0], fields.length);
      const head = Buffer.allocUnsafe(fields.readUInt32LE(16));
      pcap().copy(head, data[0], head.length); // the ring is used again
      frames.push({
        timeMs: fields.readUInt32LE(0) * 1000 + fields.readUInt32LE(8) / 1000, // until 2106
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

  /** Frames that found the ring full, since the last call. */
  missedFrames(): number {
    const counts = Buffer.alloc(12); // struct pcap_stat: received, dropped for want of room, dropped by the interface
    pcap().stats(this.#handle, counts);
    const before = this.#missed;
    this.#missed = counts.readUInt32LE(4); // libpcap counts from the capture's beginning on
    return this.#missed - before;
  }
}

/** The library's own words of what it is. @throws Error when it is not there */
export const captureLibrary = (): string => pcap().version();

/** The library, opened when first needed: most commands capture nothing. */
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
