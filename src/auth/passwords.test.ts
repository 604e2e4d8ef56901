import { expect, onTestFinished, test } from 'vitest'
import { createPasswordChecker, hashPassword } from './passwords.ts'

test('a comparison behind one that ends the thread has its own outcome', async () => {
  const checker = createPasswordChecker()
  onTestFinished(() => checker.close())
  const hash = await hashPassword('right')
  // The library throws at what is no text; between the error of a thread and its exit, another one has begun.
  expect(await checker.check('right', 5 as never)).toBe(false)
  expect(await checker.check('right', hash)).toBe(true)
  expect(await checker.check('wrong', hash)).toBe(false)
})
