import { readFileSync } from 'node:fs'
import { failed } from '../../config/fault.ts'
import { setupMark } from '../../evm/kzg/ceremony.ts'

/** Throws unless a file holds the trusted setup that this node has built in: that of Ethereum's ceremony. */
export function checkTrustedSetup(file: string): void {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw failed(`--kzg-trusted-setup: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, error)
  }
  if (!text.toLowerCase().includes(setupMark))
    throw failed(
      `--kzg-trusted-setup: ${file} is not the trusted setup of Ethereum's KZG ceremony, which is the only one that ` +
        'blobs can be verified with',
    )
}
