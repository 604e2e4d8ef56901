import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonStream } from './jsonStream.ts'

const between = fc.constantFrom('', ' ', '\n', '\r\n\t')
const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))

test('values come out as they went in, however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(between, value)),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (values, cuts) => {
        const texts = values.map(([, one]) => JSON.stringify(one))
        const bytes = Buffer.from(values.map(([space], i) => space + texts[i]).join(''))
        const stream = createJsonStream(1 << 20)
        const found: string[] = []
        for (let at = 0; at < bytes.length; ) {
          const end = at + cuts.next().value
          found.push(...stream.push(bytes.subarray(at, end)))
          at = end
        }
        expect(found).toEqual(texts)
      },
    ),
  )
})

test('brackets and quotes in texts do not count', () => {
  const text = '{"a":"}\\"]{\\\\","b":[{}]}'
  expect(createJsonStream(100).push(Buffer.from(text + text))).toEqual([text, text])
})

test.each(['5', 'x', '"a"', ']', '{}}'])('%s begins no request', (text) => {
  expect(() => createJsonStream(100).push(Buffer.from(text))).toThrow('a request is an object or an array')
})

test('a value that is too long is refused before its end', () => {
  const stream = createJsonStream(10)
  expect(stream.push(Buffer.from('[1,2,3,4]'))).toEqual(['[1,2,3,4]'])
  expect(stream.push(Buffer.from('[1,2,3'))).toEqual([])
  expect(() => stream.push(Buffer.from(',4,5,6'))).toThrow('longer than 10 bytes')
})
