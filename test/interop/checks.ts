import { isDeepStrictEqual } from 'node:util'

/** Counts what was found right and wrong, and tells each as it comes. */
export interface Checks {
  equal(name: string, actual: unknown, expected: unknown): void
  /** Passes when the action does; what it throws is the failure. */
  step<T>(name: string, action: () => Promise<T>): Promise<T | undefined>
  /** Tells something that counts as neither. */
  note(text: string): void
  readonly passed: number
  readonly failed: number
}

export function createChecks(print: (line: string) => void): Checks {
  let passed = 0
  let failed = 0
  function count(name: string, failure: string | undefined): void {
    if (failure === undefined) passed++
    else failed++
    print(failure === undefined ? `ok      ${name}` : `FAILED  ${name}: ${failure}`)
  }
  return {
    equal(name, actual, expected) {
      const same = isDeepStrictEqual(actual, expected)
      count(name, same ? undefined : `${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
    },
    async step(name, action) {
      try {
        const result = await action()
        count(name, undefined)
        return result
      } catch (error) {
        count(name, (error as Error).message)
        return undefined
      }
    },
    note: (text) => print(`        ${text}`),
    get passed() {
      return passed
    },
    get failed() {
      return failed
    },
  }
}
