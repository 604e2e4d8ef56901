import { expect, test } from 'vitest'
import { createRepeatBook } from './repeatBook.ts'

const echo = { at: 0, length: 0, replyAt: 0 }

function open() {
  let time = 0
  const book = createRepeatBook(() => time)
  let head = 1
  /** What is sent to the thread after a new head. */
  const renew = () => {
    head++
    time += 1000
    const sent: [number, string][] = []
    book.renewAll((number, { reply }) => sent.push([number, reply]))
    return sent
  }
  const add = (name: string, milliseconds = 0) =>
    book.add({
      size: 1,
      until: 1,
      echo,
      renew: () => {
        time += milliseconds
        return { reply: `${name} ${head}`, until: 1 }
      },
    })
  return { book, add, renew, pass: (milliseconds: number) => void (time += milliseconds) }
}

test('replies that are in use are made anew with each head', () => {
  const { book, add, renew } = open()
  const [first, second] = [add('a'), add('b')]
  expect(renew()).toEqual([
    [first, 'a 2'],
    [second, 'b 2'],
  ])
  renew()
  book.count([second, 1])
  renew()
  expect(renew()).toEqual([[second, 'b 5']])
})

test('one that is not renewed at once never is again: the thread has forgotten it', () => {
  const { book, renew, add } = open()
  let isShort = false
  book.add({ size: 1, until: 1, echo, renew: () => (isShort ? { reply: 'a', until: 1 } : undefined) })
  expect(renew()).toEqual([])
  isShort = true
  expect(renew()).toEqual([])
  const slow = [add('slow', 2), add('late')]
  expect(renew()).toEqual([[slow[0], 'slow 4']])
  expect(renew()).toEqual([[slow[0], 'slow 5']])
})

test('when heads come in a row, nothing is renewed', () => {
  const { add, renew, pass } = open()
  add('a')
  renew()
  pass(-950)
  expect(renew()).toEqual([])
})

test('whoever asks is told how often a reply was repeated', () => {
  const { book } = open()
  let times = 0
  const number = book.add({ size: 1, until: 1, echo, counted: (more) => void (times += more) })
  book.count([number, 3, 99, 1])
  book.count([number, 4])
  expect(times).toBe(7)
})

test('only the last of many replies are remembered', () => {
  const { book, add, renew } = open()
  const numbers = Array.from({ length: 5000 }, (_, i) => add(String(i)))
  expect(renew().map(([number]) => number)).toEqual(numbers.slice(-64))
  let times = 0
  const counted = (more: number) => void (times += more)
  const first = book.add({ size: 1, until: 1, echo, counted })
  for (let i = 0; i < 5000; i++) book.add({ size: 1, until: 1, echo })
  book.count([first, 1])
  expect(times).toBe(0)
})
