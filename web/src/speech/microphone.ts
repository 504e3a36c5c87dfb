// The microphone: how loud it is, and recordings of it.

/** Why there is none. */
export type MicrophoneProblem = 'refused' | 'none' | 'busy';

export class MicrophoneError extends Error {
  readonly problem: MicrophoneProblem;

  constructor(problem: MicrophoneProblem) {
    super(problem);
    this.problem = problem;
  }
}

export interface Recorder {
  /** Ends it; what was recorded, which may be empty. */
  stop(): Promise<Blob>;
}

export interface Microphone {
  /** How loud it is now, from 0 to 1. */
  level(): number;
  record(): Recorder;
  /** Called when the device is gone, or the permission. */
  onLost(hear: () => void): void;
  close(): void;
}

/** In the order of preference; what a browser records else is what it likes. */
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];
/** Ten minutes are 2.4 MB. */
const BITS_A_SECOND = 32_000;
/** Pieces are handed out so often, in milliseconds, so that a device that goes takes little along. */
const PIECE_MS = 500;

/** Asks for the permission, if there is none yet. @throws MicrophoneError */
export async function openMicrophone(): Promise<Microphone> {
  const stream = await navigator.mediaDevices
    .getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } })
    .catch((error: unknown) => {
      throw new MicrophoneError(problemOf(error));
    });
  const context = new AudioContext();
  void context.resume();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);
    },
    record: () => record(stream),
    onLost: (hear) => stream.getTracks().forEach((track) => track.addEventListener('ended', hear)),
    close() {
      stream.getTracks().forEach((track) => track.stop());
      void context.close();
    },
  };
}

function record(stream: MediaStream): Recorder {
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS_A_SECOND, ...(mimeType && { mimeType }) });
  const pieces: Blob[] = [];
  const ended = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve()));
  recorder.addEventListener('dataavailable', ({ data }) => void pieces.push(data));
  recorder.start(PIECE_MS);
  return {
    async stop() {
      if (recorder.state !== 'inactive') recorder.stop();
      await ended;
      return new Blob(pieces, { type: recorder.mimeType });
    },
  };
}

function problemOf(error: unknown): MicrophoneProblem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy';
}
