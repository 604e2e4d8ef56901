import { writeFileSync } from 'node:fs'
import { type Call, createClient, isBatch } from './client.ts'
import type { Subject } from './contenders/contender.ts'
import { bodiesOf } from './questions.ts'
import type { Question, Row } from './rows.ts'
import { askMessages } from './webSocketLoad.ts'

/** Questions that are asked in one request: few where each takes long. */
const together = ({ id }: Row): number => (['block', 'fullLogs', 'logs'].includes(id) ? 4 : 50)

async function askHttp({ url, headers }: Subject, row: Row, questions: readonly Question[]): Promise<unknown[]> {
  const client = createClient(url, headers)
  const answers: unknown[] = []
  if (questions.some(({ call }) => isBatch(call))) {
    for (const { call } of questions) answers.push(await client.batch(call as readonly Call[]))
    return answers
  }
  for (let at = 0; at < questions.length; at += together(row)) {
    const some = questions.slice(at, at + together(row))
    answers.push(...(await client.batch(some.map(({ call }) => call as Call))))
  }
  return answers
}

async function askWebSocket({ wsPort }: Subject, questions: readonly Question[], file: string): Promise<unknown[]> {
  writeFileSync(file, `${bodiesOf(questions).join('\n')}\n`)
  return (await askMessages(wsPort, file)).map((text) => (JSON.parse(text) as { result?: unknown }).result)
}

/** Asks a server each of the questions once, and throws if an answer is not right. */
export async function checkAnswers(
  subject: Subject,
  row: Row,
  questions: readonly Question[],
  file: string,
): Promise<void> {
  const answers =
    row.transport === 'ws' ? await askWebSocket(subject, questions, file) : await askHttp(subject, row, questions)
  for (const [i, question] of questions.entries()) {
    if (question.isRight(answers[i])) continue
    const [asked, got] = [question.call, answers[i]].map((one) => JSON.stringify(one)?.slice(0, 200))
    throw new Error(`${subject.name} answers ${got} to ${asked}`)
  }
}
