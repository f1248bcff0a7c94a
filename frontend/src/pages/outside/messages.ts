import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    title: '바깥 공구',
    intro:
      '다른 프로그램(MCP 서버)이 빌려주는 공구예요. 서버가 자기 공구를 소개하는 말은 남의 말이니, 읽어 보고 동의한 공구만 공구박스에 걸려요. 소개가 한 글자라도 바뀌면 다시 물어요.',
    loading: '바깥 공구를 불러오고 있어요.',
    failed: '바깥 서버를 읽지 못했어요.',
    reload: '다시 읽기',
    reloadTip: 'mcp.json을 다시 읽고 멈춘 서버를 다시 켜요.',
    edit: '설정 고치기',
    problems: 'mcp.json에서 고칠 곳',
    emptyTitle: '아직 바깥 공구가 없어요',
    emptyText:
      'MCP 서버를 mcp.json에 적으면 그 공구를 여기서 빌려 쓸 수 있어요. 다른 MCP 프로그램에서 쓰던 설정을 그대로 붙여도 돼요. 아래는 모양을 보여 주는 예예요.',
    useExample: '이 예로 시작하기',
    exampleNote:
      '이 프로그램이 이 컴퓨터에 있어야 하고, 폴더는 내 것으로 바꿔야 해요. 저장하면 바로 켜지지만, 공구는 동의하기 전까지 쓰이지 않아요.',
    starting: '켜는 중',
    ready: '쓸 수 있음',
    failedState: '멈춤',
    disabled: '꺼 둠',
    needs_consent: '동의 필요',
    stdio: '내 컴퓨터의 프로그램',
    http: '주소로 연결',
    noTools: '이 서버는 빌려주는 공구가 없어요.',
    tryAgain: '다시 켜 보기',
    triesAgain: '잠시 뒤에 다시 켜 볼게요.',
    notYet: '공구 목록을 기다리고 있어요.',
    okTool: '동의함',
    newTool: '새 공구',
    changedTool: '바뀜',
    disabledTool: '꺼 둠',
    refusedTool: '쓸 수 없음',
    readOnly: '읽기만 한다고 함',
    readOnlyTip: '서버의 주장이에요. 확인된 것은 아니에요.',
    confirmAlways: '쓸 때마다 물어봐요',
    confirmFirst: '대화마다 처음에 물어봐요',
    confirmNever: '묻지 않고 써요',
    schema: '받는 값',
    schemaRaw: '받는 값의 원문 (JSON)',
    noDescription: '소개하는 말이 없어요.',
    consentTo: (n: number) =>
      `새로 왔거나 바뀐 공구 ${n}개를 위에 보이는 그대로 쓰려면 동의해 주세요.`,
    consent: '보이는 대로 동의',
    consentOf: (server: string) => `${server}의 공구에 보이는 대로 동의`,
    justChanged: '방금 내용이 바뀌었어요. 다시 읽어 봐 주세요.',
    revoke: '동의 거두기',
    revokeOf: (server: string) => `${server}에 준 동의 거두기`,
    revokeTitle: (server: string) => `${server}의 공구를 그만 쓸까요?`,
    revokeText:
      '이 서버의 공구가 모두 공구박스에서 빠져요. 다시 쓰려면 다시 동의하면 돼요. mcp.json은 그대로예요.',
    keep: '그대로 두기',
    before: '동의한 것',
    after: '지금 온 것',
    editorTitle: 'mcp.json',
    editorText:
      '가려진 값(env, headers)은 그대로 두면 전에 적은 값이 남아요. 저장하면 바뀐 서버가 다시 켜져요.',
    save: '저장',
    cancel: '닫기',
    notJson: 'JSON이 아니에요. 쉼표나 따옴표를 봐 주세요.',
    saved: '바깥 공구 설정을 저장했어요.',
  },
  en: {
    title: 'Outside tools',
    intro:
      'Tools that other programs (MCP servers) lend. What a server says about its tools is not checked, so only what you have read and agreed to is used. If any of it changes, you are asked again.',
    loading: 'Loading the outside tools.',
    failed: 'The outside servers could not be read.',
    reload: 'Read again',
    reloadTip: 'Reads mcp.json again and restarts servers that have stopped.',
    edit: 'Edit settings',
    problems: 'To fix in mcp.json',
    emptyTitle: 'No outside tools yet',
    emptyText:
      'Name an MCP server in mcp.json and its tools can be lent here. Settings of other MCP programs can be pasted as they are. This is what they look like.',
    useExample: 'Start with this example',
    exampleNote:
      'The program must be on this computer, and the folder should be yours. It starts when you save; its tools stay unused until you agree.',
    starting: 'Starting',
    ready: 'Ready',
    failedState: 'Stopped',
    disabled: 'Switched off',
    needs_consent: 'Needs your consent',
    stdio: 'a program on this computer',
    http: 'over an address',
    noTools: 'This server lends no tools.',
    tryAgain: 'Try again',
    triesAgain: 'It is started again in a moment.',
    notYet: 'Waiting for its list of tools.',
    okTool: 'Agreed',
    newTool: 'New',
    changedTool: 'Changed',
    disabledTool: 'Switched off',
    refusedTool: 'Cannot be used',
    readOnly: 'Says it only reads',
    readOnlyTip: 'That is the server’s claim; it has not been checked.',
    confirmAlways: 'Asks every time',
    confirmFirst: 'Asks first in each chat',
    confirmNever: 'Does not ask',
    schema: 'What it takes',
    schemaRaw: 'What it takes, word for word (JSON)',
    noDescription: 'No description.',
    consentTo: (n: number) =>
      `${n} ${n === 1 ? 'tool is' : 'tools are'} new or changed. Agree to use ${n === 1 ? 'it' : 'them'} exactly as shown above.`,
    consent: 'Agree to what is shown',
    consentOf: (server: string) => `Agree to the tools of ${server} as shown`,
    justChanged: 'This has just changed. Please read it again.',
    revoke: 'Withdraw consent',
    revokeOf: (server: string) => `Withdraw the consent given to ${server}`,
    revokeTitle: (server: string) => `Stop using the tools of ${server}?`,
    revokeText:
      'All tools of this server leave the toolbox. To use them again, agree again. mcp.json stays as it is.',
    keep: 'Keep them',
    before: 'What you agreed to',
    after: 'What has come now',
    editorTitle: 'mcp.json',
    editorText:
      'A covered value (env, headers) keeps what it was if you leave it covered. Servers that changed start again when you save.',
    save: 'Save',
    cancel: 'Close',
    notJson: 'This is not JSON. Look for a comma or a quotation mark.',
    saved: 'The settings of outside tools are saved.',
  },
});

/** An entry of mcp.json to learn from. */
export const EXAMPLE = `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
      "confirm": "first"
    }
  }
}
`;
