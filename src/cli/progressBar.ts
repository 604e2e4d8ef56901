/** Progress of a command. */
export interface ProgressState {
  /** Finished share, from 0 to 1. */
  readonly share: number
  readonly blocks?: number
  readonly gas?: bigint
  /** What is being done, where it is not blocks that count. */
  readonly detail?: string
}

export interface ProgressBarOptions {
  /** Title, such as `Importing chain.rlp`. */
  readonly title: string
  /** If true, redraws a bar; if false, prints a line from time to time. */
  readonly terminal: boolean
  readonly columns: number
  readonly write: (text: string) => void
  /** Returns milliseconds from an arbitrary start. */
  readonly now: () => number
}

const redrawEvery = 100
const lineEvery = 5000
const barWidth = 24

/** Shows the progress of a long command: blocks, speed and remaining time. */
export function createProgressBar({ title, terminal, columns, write, now }: ProgressBarOptions) {
  const started = now()
  const every = terminal ? redrawEvery : lineEvery
  let last = terminal ? started - every : started
  let drawn = false

  return {
    /** May be called at any rate. */
    update(state: ProgressState): void {
      const time = now()
      if (time - last < every) return
      last = time
      const figures = figuresOf(state, (time - started) / 1000)
      if (!terminal) write(`${title}: ${figures}\n`)
      else write(`\r${cut(`${title} ${barOf(state.share)} ${figures}`, columns - 1)}\x1b[K`)
      drawn = terminal
    },
    /** Removes the bar from the terminal; printed lines stay. */
    clear(): void {
      if (drawn) write('\r\x1b[K')
      drawn = false
    },
  }
}

function barOf(share: number): string {
  const full = Math.round(within(share) * barWidth)
  return `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}]`
}

function figuresOf({ share, blocks, gas = 0n, detail }: ProgressState, seconds: number): string {
  const done = within(share)
  const parts = [`${Math.floor(done * 100)} %`]
  if (blocks !== undefined) parts.push(`${blocks} blocks`)
  if (detail !== undefined) parts.push(detail)
  if (gas > 0n && seconds > 0) parts.push(`${(Number(gas) / 1e6 / seconds).toFixed(1)} Mgas/s`)
  if (done > 0 && seconds > 0) parts.push(`ETA ${showSeconds((seconds * (1 - done)) / done)}`)
  return parts.join(', ')
}

function within(share: number): number {
  return Math.min(Math.max(share, 0), 1)
}

/** `45 s`, `3 min 5 s`, `2 h 10 min`. */
function showSeconds(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : text.slice(0, Math.max(width, 0))
}
