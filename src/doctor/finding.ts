/** One thing that was looked at. */
export interface Checked {
  readonly level: 'ok' | 'warning' | 'error'
  readonly text: string
  /** What to do about it; empty if it is fine. */
  readonly advice: string
}

export const fine = (text: string): Checked => ({ level: 'ok', text, advice: '' })
export const warning = (text: string, advice: string): Checked => ({ level: 'warning', text, advice })
export const wrong = (text: string, advice: string): Checked => ({ level: 'error', text, advice })
