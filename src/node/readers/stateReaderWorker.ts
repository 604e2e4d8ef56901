import { join } from 'node:path'
import { createSnapAnswers } from '../../net/snap/answers.ts'
import { SnapError } from '../../net/snap/fault.ts'
import { RlpError } from '../../primitives/rlp.ts'
import { type Answering, answerRequests, type SendToNode } from '../../readers/answerRequests.ts'
import { createPublicState } from '../../state/publicState.ts'
import { openStore } from '../../store/openStore.ts'

// The process that serves the state to peers.

/** What it needs to know of the node; plain values. */
export interface StateReaderSettings {
  readonly dataPath: string
}

function open({ dataPath }: StateReaderSettings, sendToNode: SendToNode): Answering {
  const store = openStore(join(dataPath, 'database'), { readOnly: true })
  const answers = createSnapAnswers({ store, states: createPublicState(store), now: () => performance.now() })
  return {
    folder: join(dataPath, 'traces'),
    rest() {},
    answer({ text }) {
      try {
        const response = answers(Number(text[0]), new Uint8Array(Buffer.from(text.slice(1), 'base64')))
        return { status: 200, body: Buffer.from(response).toString('base64') }
      } catch (error) {
        if (error instanceof SnapError || error instanceof RlpError) return { status: 400, body: error.message }
        sendToNode({
          kind: 'error',
          method: 'snap',
          text: error instanceof Error ? (error.stack ?? '') : String(error),
        })
        return { status: 500, body: '' }
      }
    },
  }
}

answerRequests((settings, sendToNode) => open(settings as StateReaderSettings, sendToNode))
