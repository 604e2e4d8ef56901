import { isDeepStrictEqual } from 'node:util'

/** Fails unless two values are the same. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
}

/** Fails unless an action fails with a message that has these texts. */
export async function expectFailure(action: () => unknown, ...texts: readonly string[]): Promise<void> {
  let message: string | undefined
  try {
    await action()
  } catch (error) {
    message = (error as Error).message
  }
  if (message === undefined) throw new Error(`does not fail with: ${texts.join(', ')}`)
  for (const text of texts) if (!message.includes(text)) throw new Error(`fails with: ${message}, not with: ${text}`)
}
