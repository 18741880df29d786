// The files that hold an encoded film: WebM (Matroska's elements) and MP4 (its boxes), one track.

/**
 * @typedef {{ data: Uint8Array, key: boolean }} Chunk one frame; a key frame needs no other
 * @typedef {{ chunks: Chunk[], width: number, height: number, ms: number }} Film `ms` a frame
 * @typedef {Uint8Array | number[]} Bytes
 */

const SCALE = 90_000; // of MP4's clock: units a second

/** @param {Film} film @param {string} codec @returns {Blob} */
export function webm({ chunks, width, height, ms }, codec) {
  const head = element(
    [0x1a, 0x45, 0xdf, 0xa3],
    [
      element([0x42, 0x86], whole(1)),
      element([0x42, 0xf7], whole(1)),
      element([0x42, 0xf2], whole(4)),
      element([0x42, 0xf3], whole(8)),
      element([0x42, 0x82], letters("webm")),
      element([0x42, 0x87], whole(4)),
      element([0x42, 0x85], whole(2)),
    ],
  );
  const length = new DataView(new ArrayBuffer(8));
  length.setFloat64(0, chunks.length * ms);
  const info = element(
    [0x15, 0x49, 0xa9, 0x66],
    [
      element([0x2a, 0xd7, 0xb1], whole(1_000_000)), // nanoseconds a unit: milliseconds
      element([0x44, 0x89], new Uint8Array(length.buffer)),
      element([0x4d, 0x80], letters("Illuminated Transformer")),
      element([0x57, 0x41], letters("Illuminated Transformer")),
    ],
  );
  const video = element([0xe0], [element([0xb0], whole(width)), element([0xba], whole(height))]);
  const track = element(
    [0xae],
    [
      element([0xd7], whole(1)),
      element([0x73, 0xc5], whole(1)),
      element([0x83], whole(1)),
      element([0x86], letters(codec)),
      video,
    ],
  );
  const tracks = element([0x16, 0x54, 0xae, 0x6b], [track]);
  const starts = chunks.flatMap(({ key }, i) => (key ? [i] : []));
  const clusters = starts.map((first, n) => {
    const blocks = chunks.slice(first, starts[n + 1]).map(({ data, key }, i) => {
      const since = Math.round((first + i) * ms) - Math.round(first * ms);
      return element([0xa3], [[0x81, since >> 8, since & 255, key ? 0x80 : 0], data]);
    });
    return element([0x1f, 0x43, 0xb6, 0x75], [element([0xe7], whole(first * ms)), ...blocks]);
  });
  // The index stands before what it points at: its length does not depend on its numbers.
  const cues = (before) => {
    let at = before;
    const points = starts.map((first, n) => {
      const place = element([0xb7], [element([0xf7], whole(1)), element([0xf1], whole(at))]);
      at += clusters[n].length;
      return element([0xbb], [element([0xb3], whole(first * ms)), place]);
    });
    return element([0x1c, 0x53, 0xbb, 0x6b], points);
  };
  const before = info.length + tracks.length + cues(0).length;
  const segment = element([0x18, 0x53, 0x80, 0x67], [info, tracks, cues(before), ...clusters]);
  return new Blob([head, segment], { type: "video/webm" });
}

/** @param {Film} film @param {Uint8Array} avc the decoder's configuration @returns {Blob} */
export function mp4({ chunks, width, height, ms }, avc) {
  const step = Math.round((ms * SCALE) / 1000);
  const all = chunks.length * step;
  const matrix = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30].map(long);
  const entry = box(
    "avc1",
    zeros(6),
    short(1),
    zeros(16),
    short(width),
    short(height),
    long(72 << 16),
    long(72 << 16),
    zeros(4),
    short(1),
    zeros(32),
    short(24),
    short(0xffff),
    box("avcC", avc),
  );
  const keys = chunks.flatMap(({ key }, i) => (key ? [long(i + 1)] : []));
  const moov = (/** @type {number} */ start) =>
    box(
      "moov",
      box(
        "mvhd",
        zeros(12),
        long(SCALE),
        long(all),
        long(1 << 16),
        short(256),
        zeros(10),
        ...matrix,
        zeros(24),
        long(2),
      ),
      box(
        "trak",
        box(
          "tkhd",
          long(3),
          zeros(8),
          long(1),
          zeros(4),
          long(all),
          zeros(16),
          ...matrix,
          long(width << 16),
          long(height << 16),
        ),
        box(
          "mdia",
          box("mdhd", zeros(12), long(SCALE), long(all), short(0x55c4), zeros(2)),
          box("hdlr", zeros(8), letters("vide"), zeros(12), letters("film\0")),
          box(
            "minf",
            box("vmhd", long(1), zeros(8)),
            box("dinf", box("dref", zeros(4), long(1), box("url ", long(1)))),
            box(
              "stbl",
              box("stsd", zeros(4), long(1), entry),
              box("stts", zeros(4), long(1), long(chunks.length), long(step)),
              box("stss", zeros(4), long(keys.length), ...keys),
              box("stsc", zeros(4), long(1), long(1), long(chunks.length), long(1)),
              box(
                "stsz",
                zeros(8),
                long(chunks.length),
                ...chunks.map(({ data }) => long(data.length)),
              ),
              box("stco", zeros(4), long(1), long(start)),
            ),
          ),
        ),
      ),
    );
  const head = box("ftyp", letters("isom"), long(512), letters("isomiso2avc1mp41"));
  const start = head.length + moov(0).length + 8;
  const frames = chunks.map(({ data }) => data);
  return new Blob([head, moov(start), box("mdat", ...frames)], { type: "video/mp4" });
}

/** A Matroska element: its name, its length in eight bytes, its content. @param {number[]} name
 * @param {Uint8Array | Bytes[]} content */
function element(name, content) {
  const inner = content instanceof Uint8Array ? content : joined(content);
  return joined([name, [1], whole(inner.length).subarray(1), inner]);
}

/** @param {string} name @param {...Bytes} content */
function box(name, ...content) {
  const inner = joined(content);
  return joined([long(inner.length + 8), letters(name), inner]);
}

/** @param {Bytes[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of parts) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

/** A whole number in eight bytes, the highest first. @param {number} value */
function whole(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(Math.round(value)));
  return new Uint8Array(view.buffer);
}
/** @param {number} value */
function long(value) {
  return whole(value).subarray(4);
}
/** @param {number} value */
function short(value) {
  return whole(value).subarray(6);
}
/** @param {number} count */
function zeros(count) {
  return new Uint8Array(count);
}
/** @param {string} text */
function letters(text) {
  return new TextEncoder().encode(text);
}
