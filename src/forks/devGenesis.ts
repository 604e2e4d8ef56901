/** The accounts that every development network funds. Their keys are public: never use them on a real network. */
export const devAccounts = [
  {
    address: 'fe3b557e8fb62b89f4916b721be55ceb828dbd73',
    privateKey: '8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63',
    balance: '0xad78ebc5ac6200000',
  },
  {
    address: '627306090abab3a6e1400e9345bc60c78a8bef57',
    privateKey: 'c87509a1c067bbde78beb793e6fa76530b6382a4c0241e5e4a9ec0a0f44dc0d3',
    balance: '90000000000000000000000',
  },
  {
    address: 'f17f52151ebef6c7334fad080c5704d77216b732',
    privateKey: 'ae6ae8e5ccbfb04590405997ee2d52d2b330726137b875053c36d94e974d162f',
    balance: '90000000000000000000000',
  },
] as const

/** Network id of the development network; its chain id is 1337. */
export const devNetworkId = 2018n

/** The development network's genesis file: what Besu's `--network=dev` starts from. */
export const devGenesis = {
  config: {
    chainId: 1337,
    londonBlock: 0,
    contractSizeLimit: 2147483647,
    ethash: { fixeddifficulty: 100 },
  },
  nonce: '0x42',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  gasLimit: '0x1fffffffffffff',
  difficulty: '0x10000',
  baseFeePerGas: '0x0',
  mixHash: '0x0000000000000000000000000000000000000000000000000000000000000000',
  coinbase: '0x0000000000000000000000000000000000000000',
  alloc: Object.fromEntries(devAccounts.map(({ address, balance }) => [address, { balance }])),
}
