import { useRef, useState, type PointerEvent } from 'react';

/** A part of the picture's shorter side. */
const BRUSH = 0.08;

interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** What is drawn over a picture by pointer. Shares of the picture are from 0 to 1. */
export function useDrawing() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const last = useRef<Point | null>(null);
  const [isMarked, setMarked] = useState(false);

  function begin(event: PointerEvent): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    draw(event);
  }

  function draw({ clientX, clientY }: PointerEvent): void {
    const context = pencilOf(canvas.current);
    if (!context) return;
    const { left, top, width, height } = context.canvas.getBoundingClientRect();
    const x = ((clientX - left) / width) * context.canvas.width;
    const y = ((clientY - top) / height) * context.canvas.height;
    drawLine(context, last.current ?? { x, y }, { x, y });
    last.current = { x, y };
    setMarked(true);
  }

  function fill(box: Box): void {
    const context = pencilOf(canvas.current);
    if (!context) return;
    const { width, height } = context.canvas;
    context.fillRect(box.x * width, box.y * height, box.width * width, box.height * height);
    setMarked(true);
  }

  function clear(): void {
    const context = pencilOf(canvas.current);
    context?.clearRect(0, 0, context.canvas.width, context.canvas.height);
    setMarked(false);
  }

  const end = () => (last.current = null);
  const pointer = {
    onPointerDown: begin,
    onPointerMove: (event: PointerEvent) => last.current && draw(event),
    onPointerUp: end,
    onPointerCancel: end,
  };
  return { canvas, isMarked, pointer, fill, clear };
}

function pencilOf(canvas: HTMLCanvasElement | null): CanvasRenderingContext2D | null {
  const context = canvas?.getContext('2d') ?? null;
  if (!context) return null;
  // The colour is only seen: what counts is where it is.
  context.fillStyle = context.strokeStyle = getComputedStyle(context.canvas).getPropertyValue('--p-accent');
  context.lineWidth = Math.min(context.canvas.width, context.canvas.height) * BRUSH;
  context.lineCap = 'round';
  return context;
}

/** A press without a move is a dot. */
function drawLine(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
  context.beginPath();
  context.arc(to.x, to.y, context.lineWidth / 2, 0, 2 * Math.PI);
  context.fill();
}
