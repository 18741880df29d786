// What the modules hand each other.

export type Role = "input" | "query" | "key" | "value" | "output" | "residual";
export type Rgb = [number, number, number];
export type Colours = Rgb[]; // 256 of them, from one end of a scale to the other
export type Words = Record<string, string>;
export type Attributes = Record<string, string | number | boolean>;

export interface Palette {
  roles: Record<Role, string>;
  weights: string[];
  signed: string[];
  greys: string[];
}

/** What is pinned: a cell, a query (no key) or a key (no query). */
export interface Pin {
  query: number | null;
  key: number | null;
}

/** What Streamlit hands over at every change of the data. */
export interface Component {
  parentElement: ShadowRoot;
  data: {
    fixed: any;
    chosen: any;
    palette: Record<"light" | "dark", Palette>;
    language: string;
  };
  setTriggerValue(event: string, value: unknown): void;
}

export type Mark = (chosen: any) => void;
export type Build = (view: View, fixed: any) => Mark;

/** One component on the page: what it draws with, and what outlives a new drawing. */
export interface View {
  root: HTMLElement;
  build: Build;
  component: Component;
  palette: Palette;
  page: { font: string; ink: string; ground: string; accent: string };
  room: number; // the width in pixels
  skipped: boolean; // too far from what is seen to be painted
  memory: Record<string, any>;
  content?: string; // what is drawn
  mark: Mark;
  watcher?: { disconnect(): void }; // of what goes on around it
  refit?(): void; // with the width that there is now
  send(value: unknown): void; // what was chosen, to the server
  watchWidth(callback: (width: number) => void): void;
}
