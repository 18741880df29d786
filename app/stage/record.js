// Frames to a film: by the browser's encoder, faster than the film plays, where there is one (pages
// that came by https or from this computer); else by its recorder, while it plays.
import { mp4, webm } from "./containers.js";

export const FRAMES_A_SECOND = 30;
const BITS_A_SECOND = 2_400_000; // 3 MB for ten seconds
const [KEY_EVERY, WAITING] = [60, 6]; // frames
const ENCODED = { webm: ["vp09.00.31.08", "vp8"], mp4: ["avc1.42001f", "avc1.4d001f"] };
const RECORDED = {
  webm: ["video/webm;codecs=vp9", "video/webm"],
  mp4: ["video/mp4;codecs=avc1.42001f", "video/mp4"],
};

/** Return the kinds of files that this browser can make. */
export async function kindsHere() {
  const kinds = /** @type {("webm" | "mp4")[]} */ (["webm", "mp4"]);
  const can = await Promise.all(
    kinds.map(async (kind) => Boolean((await encoding(kind, 1280, 720)) || recording(kind))),
  );
  return kinds.filter((_, i) => can[i]);
}

/**
 * Return a film of `count` frames, each drawn on the canvas by `frame`.
 * @param {{ canvas: HTMLCanvasElement, count: number, frame: (i: number) => void,
 *   kind: "webm" | "mp4", tell: (done: number) => void }} what
 * @returns {Promise<Blob>}
 */
export async function record(what) {
  const config = await encoding(what.kind, what.canvas.width, what.canvas.height);
  return config ? encoded(what, config) : recorded(what);
}

async function encoding(kind, width, height) {
  if (!("VideoEncoder" in globalThis)) return null;
  for (const codec of ENCODED[kind]) {
    const config = {
      codec,
      width,
      height,
      bitrate: BITS_A_SECOND,
      framerate: FRAMES_A_SECOND,
      ...(kind === "mp4" && { avc: { format: /** @type {const} */ ("avc") } }),
    };
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({
      supported: false,
    }));
    if (supported) return config;
  }
  return null;
}

function recording(kind) {
  if (!("MediaRecorder" in globalThis)) return undefined;
  return RECORDED[kind].find((one) => MediaRecorder.isTypeSupported(one));
}

async function encoded({ canvas, count, frame, kind, tell }, config) {
  /** @type {import("./containers.js").Chunk[]} */
  const chunks = [];
  /** @type {AllowSharedBufferSource | undefined} */
  let description;
  /** @type {DOMException | null} */
  let wrong = null;
  const encoder = new VideoEncoder({
    output: (chunk, about) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      description ??= about?.decoderConfig?.description;
      chunks.push({ data, key: chunk.type === "key" });
    },
    error: (error) => {
      wrong = error;
    },
  });
  encoder.configure(config);
  const length = 1_000_000 / FRAMES_A_SECOND; // microseconds
  for (let i = 0; i < count; i++) {
    while (encoder.encodeQueueSize > WAITING && !wrong) await pause();
    if (wrong) throw wrong;
    frame(i);
    const one = new VideoFrame(canvas, {
      timestamp: i * length,
      duration: length,
      alpha: "discard",
    });
    encoder.encode(one, { keyFrame: i % KEY_EVERY === 0 });
    one.close();
    tell(i / count);
    if (i % 3 === 0) await pause(); // the page goes on
  }
  await encoder.flush();
  encoder.close();
  const file = { chunks, width: canvas.width, height: canvas.height, ms: 1000 / FRAMES_A_SECOND };
  if (kind === "webm") return webm(file, config.codec === "vp8" ? "V_VP8" : "V_VP9");
  return mp4(file, new Uint8Array(/** @type {ArrayBuffer} */ (description)));
}

async function recorded({ canvas, count, frame, kind, tell }) {
  const mimeType = /** @type {string} */ (recording(kind));
  frame(0);
  const stream = canvas.captureStream(FRAMES_A_SECOND);
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: BITS_A_SECOND });
  /** @type {Blob[]} */
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((done) => recorder.addEventListener("stop", done));
  recorder.start();
  const begun = performance.now();
  for (let i = 0; i < count; ) {
    await new Promise(requestAnimationFrame);
    i = Math.floor(((performance.now() - begun) / 1000) * FRAMES_A_SECOND);
    frame(Math.min(i, count - 1));
    tell(Math.min(1, i / count));
  }
  recorder.stop();
  await stopped;
  return new Blob(parts, { type: `video/${kind}` });
}

function pause() {
  return new Promise((done) => setTimeout(done));
}
