import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    deaf: '그 포트를 열지 못해서 휴대폰이 연결할 수 없어요. 위에서 포트를 바꿔 주세요.',
    pair: '휴대폰 짝짓기',
    none: '짝지은 휴대폰이 없어요.',
    paired: (day: string) => `${day}에 짝지음`,
    seen: (when: string) => `마지막으로 본 때: ${when}`,
    unpair: '짝 끊기',
    unpairOf: (name: string) => `${name} 짝 끊기`,
    unpairTitle: (name: string) => `${name}의 짝을 끊을까요?`,
    unpairText:
      '그 휴대폰은 바로 아무것도 보지 못하고, 답하지도 못해요. 다시 쓰려면 새로 짝지어야 해요.',
    keep: '그대로 두기',
    point: '휴대폰의 카메라로 이 그림을 비춰 주세요',
    pointText:
      '휴대폰이 이 컴퓨터와 같은 네트워크(와이파이)에 있어야 해요. 브라우저가 모르는 인증서라고 물으면 아래 지문과 같은지 보고 계속해 주세요.',
    alone:
      '이 컴퓨터가 지금 어느 네트워크에도 없어서 휴대폰이 연결할 수 없어요. 와이파이를 켠 뒤 다시 눌러 주세요.',
    picture: '짝짓기 그림',
    address: '이 컴퓨터의 주소',
    fingerprint: '인증서 지문 (SHA-256)',
    until: (time: string) => `이 그림은 한 번만, ${time}까지 쓸 수 있어요.`,
    done: '그만두기',
    joined: (name: string) => `휴대폰을 짝지었어요: ${name}`,
  },
  en: {
    deaf: 'That port could not be opened, so no phone can connect. Choose another port above.',
    pair: 'Pair a phone',
    none: 'No phone is paired.',
    paired: (day: string) => `paired on ${day}`,
    seen: (when: string) => `last seen: ${when}`,
    unpair: 'Unpair',
    unpairOf: (name: string) => `Unpair ${name}`,
    unpairTitle: (name: string) => `Unpair ${name}?`,
    unpairText:
      'That phone sees nothing more and cannot answer, from now on. To use it again, pair it anew.',
    keep: 'Keep it',
    point: 'Point your phone’s camera at this picture',
    pointText:
      'The phone must be on the same network (Wi-Fi) as this computer. If its browser asks about a certificate it does not know, compare it with the fingerprint below and go on.',
    alone:
      'This computer is not on a network at the moment, so no phone can connect. Join a Wi-Fi network and press the button again.',
    picture: 'Picture for pairing',
    address: 'Address of this computer',
    fingerprint: 'Fingerprint of the certificate (SHA-256)',
    until: (time: string) => `This picture can be used once, until ${time}.`,
    done: 'Cancel',
    joined: (name: string) => `${name} is paired.`,
  },
});
