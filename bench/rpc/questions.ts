import { requestBody } from './client.ts'
import type { Content, Question, Row } from './rows.ts'

/** The first of them is the one that is asked again and again; of a row with one question it is all there is. */
export function questionsOf(row: Row, content: Content, wanted: number): readonly Question[] {
  const count = row.isSingle ? 1 : Math.min(wanted, row.most ?? wanted)
  const different = new Map<string, Question>()
  for (let number = 0; number < count; number++) {
    const question = row.question(number, content)
    const text = JSON.stringify(question.call)
    if (!different.has(text)) different.set(text, question)
  }
  return [...different.values()]
}

/** As clients write them: each with an id of its own. */
export const bodiesOf = (questions: readonly Question[]): string[] =>
  questions.map(({ call }, i) => requestBody(call, i + 1))
