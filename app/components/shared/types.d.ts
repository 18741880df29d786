// Types that the modules share.

export type Role = "input" | "query" | "key" | "value" | "output" | "residual";
export type Rgb = [number, number, number];
export type Colours = Rgb[]; // 256 of them, from one end of a scale to the other
export type Words = Record<string, string>;
export type Attributes = Record<string, string | number | boolean>;

export interface Palette {
  roles: Record<Role, string>;
  page: Record<"ink" | "quiet" | "grid" | "ground", string>;
  weights: string[];
  signed: string[];
  greys: string[];
}

/** A pin: a cell, a query (without a key) or a key (without a query). */
export interface Pin {
  query: number | null;
  key: number | null;
}

/** What Streamlit passes in at every change of the data. */
export interface Component {
  parentElement: ShadowRoot;
  data: {
    fixed?: any;
    file?: string; // the address of a file that has what is drawn, in place of `fixed`
    chosen: any;
    palette: Record<"light" | "dark", Palette>;
    language: string;
  };
  setTriggerValue(event: string, value: unknown): void;
}

export type Mark = (chosen: any) => void;
export type Build = (view: View, fixed: any) => Mark | undefined;

/** One component on the page: what it draws with, and what outlives a redraw. */
export interface View {
  root: HTMLElement;
  build: Build;
  component: Component;
  palette: Palette;
  page: { font: string; ink: string; ground: string; accent: string };
  room: number; // the width in pixels
  skipped: boolean; // too far out of sight to be painted
  memory: Record<string, any>;
  content?: string; // what is drawn
  mark?: Mark;
  watcher?: { disconnect(): void }; // watches what happens around it
  refit?(): void; // to the current width
  send(value: unknown): void; // sends what was chosen to the server
  watchWidth(callback: (width: number) => void): void;
}
