/** Tests of OpenZeppelin Contracts that fail on this chain, and why that is right. */
interface Difference {
  readonly reason: string
  /** Full titles. */
  readonly tests: readonly string[]
}

export const openzeppelinDifferences: readonly Difference[] = [
  {
    // The transaction is in a block and has failed, as the test wants; only Hardhat tells that when it is sent.
    reason: "Hardhat's own network answers a transaction that fails with an error; other nodes return its hash",
    tests: [
      'TimelockController usage scenario call out of gas',
      'Address functionCall with valid contract receiver reverts when the called function runs out of gas',
      'ERC2771Forwarder execute bubbles out of gas',
      'ERC2771Forwarder execute bubbles out of gas forced by the relayer',
      'ERC2771Forwarder executeBatch with tampered requests bubbles out of gas',
    ],
  },
  {
    reason: "Hardhat's own network estimates for a sender who cannot pay the value; Besu and geth refuse that",
    tests: ['ERC2771Forwarder executeBatch with tampered requests bubbles out of gas forced by the relayer'],
  },
  {
    reason: 'eth_getProof returns keys of storage as Besu does: without leading zeros',
    tests: [
      'proof size 1 (even leaf [0x20])',
      'proof size 2 (branch then odd leaf [0x3])',
      'proof size 3 (even extension [0x00], branch then leaf)',
      'proof size 3 (odd extension [0x1], branch then leaf)',
    ].map((title) => `TrieProof verify processes valid account and storage proofs returns true with ${title}`),
  },
]
