declare const annasToken: string;
declare const bensToken: string;
