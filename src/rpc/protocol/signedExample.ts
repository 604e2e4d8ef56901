/** A transfer that the first account of the development network has signed. */
export const signedExample =
  '0x02f86d82053980843b9aca008502540be40082520894627306090abab3a6e1400e9345bc60c78a8bef570180c080a0' +
  '5cee687834276cf27bafcc04bd03d57ab4772283537e5814b352346eb37c2d2fa05c9edeeb9fdecfd342f4e8f9c8ed2f' +
  '230d076e5370bbb361a0c54731fff3fe2a'
