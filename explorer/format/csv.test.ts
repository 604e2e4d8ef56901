import { expect, test } from 'vitest'
import { csvOf, exactText, type Shown } from './csv.ts'

test('cells with commas, quotes and line breaks are quoted', () => {
  expect(
    csvOf([
      ['Block', 'Name'],
      ['1', 'a, "b"'],
      ['2', 'c\nd'],
    ]),
  ).toBe('Block,Name\r\n1,"a, ""b"""\r\n2,"c\nd"\r\n')
})

test('what a spreadsheet would run is text', () => {
  expect(csvOf([['=HYPERLINK("x")', '+1+cmd', '@a', '-1.5', '-x']])).toBe(
    `"'=HYPERLINK(""x"")",'+1+cmd,'@a,-1.5,'-x\r\n`,
  )
})

test('digits are not in groups', () => {
  expect(csvOf([['1,234,567', '-1,234.5', '1,2']])).toBe('1234567,-1234.5,"1,2"\r\n')
})

const text = (nodeValue: string): Shown => ({ nodeType: 3, nodeValue, childNodes: [] })
const element = (tagName: string, childNodes: readonly Shown[], value?: string): Shown => ({
  nodeType: 1,
  nodeValue: null,
  tagName,
  childNodes,
  dataset: { value },
})

test('the text of a cell has all digits and no buttons', () => {
  const link = element('A', [text('0x1234…cdef')], '0x1234567890abcdef')
  const cell = element('TD', [link, element('BUTTON', [text('Copy')]), element('SPAN', [text(' failed ')])])
  expect(exactText(cell)).toBe('0x1234567890abcdef failed')
})
