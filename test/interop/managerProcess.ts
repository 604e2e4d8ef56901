import { join } from 'node:path'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'
import { quoinProgram } from './quoinProcess.ts'

export interface ManagerSeat {
  readonly folder: string
  readonly nodePort: number
  readonly peerPort: number
}

/** `quoin privacy-manager` in a process of its own. */
export function createManagerProcess({ folder, nodePort, peerPort }: ManagerSeat): NodeProcess {
  return createNodeProcess({
    name: 'quoin privacy-manager',
    httpPort: nodePort,
    logFile: `${folder}.log`,
    command: process.execPath,
    args: [
      quoinProgram,
      `--data-path=${folder}`,
      'privacy-manager',
      `--key-file=${join(folder, 'privacy.key')}`,
      `--port=${nodePort}`,
      `--peer-port=${peerPort}`,
    ],
  })
}
