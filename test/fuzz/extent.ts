/** How long a campaign goes on, and where its random numbers start. */
export interface Extent {
  readonly minutes: number
  /** Stops earlier after so many inputs. */
  readonly count: number
  readonly seed: number
}

/** Whether a campaign is a short one for a fixed number of inputs. */
export const isSample = ({ count }: Extent): boolean => count < Number.MAX_SAFE_INTEGER
