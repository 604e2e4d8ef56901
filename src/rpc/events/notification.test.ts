import { expect, test } from 'vitest'
import { createNotifier, notificationText } from './notification.ts'

const textOf = (id: string, result: string, method = 'eth_subscription') =>
  `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":"${id}","result":${result}}}`

test('subscribers get the same text with their own ids', () => {
  const notify = createNotifier()
  const results = ['"ä"', '"0x01"']
  for (const id of ['0x1', '0x2', '0xff', '0x100', '0x3'])
    for (const result of results)
      expect(notificationText(notify('eth_subscription', id, '"result":', result))).toBe(textOf(id, result))
  expect(notificationText(notify('priv_subscription', '0x3', '"result":', results[0]!))).toBe(
    textOf('0x3', results[0]!, 'priv_subscription'),
  )
})

test('what has the same length of id is encoded once', () => {
  const notify = createNotifier()
  const [first, second, longer] = ['0x1', '0x2', '0x10'].map((id) => notify('eth_subscription', id, '"result":', '1'))
  expect(second!.bytes).toBe(first!.bytes)
  expect(longer!.bytes).not.toBe(first!.bytes)
})

test('long notifications are right, remembered or not', () => {
  const notify = createNotifier()
  const long = [1, 2, 3, 4, 5, 6].map((i) => `"${String(i).repeat(250_000)}"`)
  const tooLong = `"${'x'.repeat(300_000)}"`
  for (const result of [...long, tooLong, ...long]) {
    const text = notificationText(notify('eth_subscription', '0x7', '"result":', result))
    expect(text === textOf('0x7', result)).toBe(true)
  }
})
